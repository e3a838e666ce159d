internal import CloserWire

/// One of the schemas of Wycheproof's own files that we can run, and how it differs from our frame.
///
/// A group with sizes, a curve or an encoding that we lack is skipped, counted, and the reason is named.
struct WycheproofSchema: Sendable {
    let name: String
    /// What a file may call the algorithm.
    let algorithms: [String]
    let groupType: String
    /// The members of a group, each with the values of it that our primitives have.
    let parameters: [(name: String, ours: Ours)]
    /// The members of a test that are input.
    let input: [MemberName]
    /// The members of a test that are the expected output.
    let output: [MemberName]
    /// Whether the output is input, too: a box is opened and a tag is checked before they are made again.
    let takesOutput: Bool
    /// RFC 7748 §6.1 lets an implementation accept a secret that is all zero; ours must never.
    let refusesZero: Bool

    enum Ours { case any, sizes([Int]), text(String) }

    init(
        name: String, algorithms: [String], groupType: String, parameters: [(name: String, ours: Ours)],
        input: String, output: String, takesOutput: Bool = false, refusesZero: Bool = false
    ) {
        (self.name, self.algorithms, self.groupType) = (name, algorithms, groupType)
        self.parameters = parameters
        (self.input, self.output) = (MemberName.list(input), MemberName.list(output))
        (self.takesOutput, self.refusesZero) = (takesOutput, refusesZero)
    }

    var operation: String { "wycheproof.\(name)" }

    /// The schema that a file calls `hkdf_test_schema.json`, `xdh_comp_schema_v1.json` or the like; nil if we know none.
    static func of(schema: String) -> WycheproofSchema? {
        let name = schema.split(separator: ".").first?.replacing("_v1", with: "") ?? ""
        guard name.hasSuffix("_schema"), schema.hasSuffix(".json") else { return nil }
        let short = name.dropLast("_schema".count).replacing("_test", with: "")
        guard case .wycheproof(let schema)? = VectorOperation.named("wycheproof.\(short)")?.source else {
            return nil
        }
        return schema
    }
}

extension WycheproofSchema {
    func cases(of group: FrameObject) throws(VectorFileError) -> [VectorCase] {
        guard try group.text("type") == groupType else { throw .wrong("type", group.place) }
        try group.check(MemberName.list("type source? tests") + parameters.map { MemberName($0.name) })
        let obstacle = try obstacle(of: group)
        var cases: [VectorCase] = []
        for value in try group.list("tests") {
            cases.append(try vectorCase(try FrameObject(test: value, in: group), obstacle))
        }
        return cases
    }

    private func vectorCase(_ test: FrameObject, _ obstacle: String?) throws(VectorFileError) -> VectorCase {
        try test.check(MemberName.list("tcId comment flags result") + input + output)
        return VectorCase(
            operation: operation, id: try test.count("tcId"), comment: try test.text("comment"),
            flags: try test.texts("flags"), input: test.picking(takesOutput ? input + output : input),
            expectation: try expectation(test), obstacle: obstacle)
    }

    private func expectation(_ test: FrameObject) throws(VectorFileError) -> Expectation {
        if refusesZero, try test.text("shared").utf8.allSatisfy({ $0 == UInt8(ascii: "0") }) {
            return .refusal
        }
        let output = JSONValue.object(test.picking(output))
        switch try test.text("result") {
        case "valid": return .output(output)
        case "invalid": return .refusal
        case "acceptable": return .outputOrRefusal(output)
        default: throw .wrong("result", test.place)
        }
    }

    /// Why our primitives cannot be asked this group: the first parameter that they lack; nil if they can.
    private func obstacle(of group: FrameObject) throws(VectorFileError) -> String? {
        for (name, ours) in parameters {
            switch ours {
            case .any: continue
            case .sizes(let sizes):
                let size = try group.count(name)
                if !sizes.contains(size) { return "\(name) \(size)" }
            case .text(let known):
                let text = try group.text(name)
                if text != known { return "\(name) \(text)" }
            }
        }
        return nil
    }
}
