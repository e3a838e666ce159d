internal import CloserWire

/// Which kind of file it is, by its schema: one of ours, or one of the five of Wycheproof's that we know.
enum Dialect {
    case ours([VectorOperation])
    case wycheproof(WycheproofSchema)

    /// Throws `.unknownSchema` for any other schema.
    init(_ frame: FrameObject) throws(VectorFileError) {
        let schema = try frame.text("schema")
        let operations = VectorOperation.of(schema: schema)
        if !operations.isEmpty {
            self = .ours(operations)
        } else if let schema = WycheproofSchema.of(schema: schema) {
            // Other algorithms share a schema with ours: ChaCha20-Poly1305 with AES-GCM, HMAC-SHA-1 with HMAC-SHA-256.
            guard schema.algorithms.contains(try frame.text("algorithm")) else {
                throw .wrong("algorithm", .file)
            }
            self = .wycheproof(schema)
        } else {
            throw .unknownSchema(schema)
        }
    }

    /// Wycheproof's own files leave some flags without a note.
    var explainsEveryFlag: Bool {
        guard case .ours = self else { return false }
        return true
    }

    var frameMembers: [MemberName] {
        switch self {
        case .ours: MemberName.list("algorithm schema numberOfTests notes testGroups")
        case .wycheproof:
            MemberName.list("algorithm schema numberOfTests notes? testGroups header? generatorVersion?")
        }
    }

    func cases(of group: FrameObject) throws(VectorFileError) -> [VectorCase] {
        switch self {
        case .ours(let operations): try Self.cases(of: group, operations)
        case .wycheproof(let schema): try schema.cases(of: group)
        }
    }

    private static func cases(
        of group: FrameObject, _ operations: [VectorOperation]
    ) throws(VectorFileError) -> [VectorCase] {
        let type = try group.text("type")
        guard let operation = operations.first(where: { $0.name == type }) else {
            throw .wrong("type", group.place)
        }
        try group.check(MemberName.list("type source tests") + operation.groupMembers)
        let parameters = try group.texts(of: operation.groupMembers)
        var cases: [VectorCase] = []
        for value in try group.list("tests") {
            cases.append(try FrameObject(test: value, in: group).vectorCase(of: operation, parameters))
        }
        return cases
    }
}

extension FrameObject {
    /// One of a group's tests. Errors in it name its `tcId`.
    init(test value: JSONValue, in group: FrameObject) throws(VectorFileError) {
        let test = try FrameObject(value, "tests", at: group.place)
        self.init(test.members, at: .test(try test.count("tcId")))
    }

    fileprivate func vectorCase(
        of operation: VectorOperation, _ parameters: [JSONValue.Member]
    ) throws(VectorFileError) -> VectorCase {
        let expectation = try expectation()
        try check((isValid ? Self.validMembers : Self.invalidMembers) + operation.testMembers)
        return VectorCase(
            operation: operation.name, id: try count("tcId"), comment: try text("comment"),
            flags: try texts("flags"), input: parameters + (try texts(of: operation.testMembers)),
            expectation: expectation, trace: try trace())
    }

    private static let validMembers = MemberName.list("tcId comment flags result output trace?")
    private static let invalidMembers = MemberName.list("tcId comment flags result error")

    private var isValid: Bool { self["result"]?.string == "valid" }

    private func expectation() throws(VectorFileError) -> Expectation {
        switch try text("result") {
        case "valid": .output(.object(try FrameObject(self["output"], "output", at: place).members))
        case "invalid": .error(try text("error"))
        default: throw .wrong("result", place)
        }
    }

    private func trace() throws(VectorFileError) -> Trace {
        guard let value = self["trace"] else { return Trace() }
        guard let trace = Trace(value) else { throw .wrong("trace", place) }
        return trace
    }
}
