public import CloserKeys
public import CloserPrimitives
internal import CloserWire

/// A file of vectors in Wycheproof's frame, ours or Wycheproof's own, read whole and strictly.
///
/// Every member must be known, every test counted and every flag explained: a misread file would look like a pass.
public struct VectorFile: Sendable {
    /// What the file is called, for reports.
    public let name: String
    /// What the file is about, in its own words.
    public let algorithm: String
    /// Who made the expected values, with versions, each once.
    public let sources: [String]
    package private(set) var cases: [VectorCase]
    /// What each flag means. Flags that are explained by an object, as in Wycheproof's newer files, are left out.
    let notes: [String: String]

    /// The most bytes that a file may have: 64 MiB, many times the size of Wycheproof's largest.
    public static let maximumByteCount = 64 << 20

    /// Parses one file. Reports call it `name`.
    public init(name: String, parsing bytes: some Collection<UInt8>) throws(VectorFileError) {
        let members: [JSONValue.Member]
        do { members = try JSONValue.members(of: bytes) } catch { throw .notJSON(error) }
        let frame = FrameObject(members, at: .file)
        let dialect = try Dialect(frame)
        try frame.check(dialect.frameMembers)
        self.name = name
        algorithm = try frame.text("algorithm")
        sources = try Self.sources(frame)
        notes = Self.notes(frame)
        var cases: [VectorCase] = []
        try Self.forEachGroup(of: frame) { (group) throws(VectorFileError) in
            cases += try dialect.cases(of: group)
        }
        try Self.check(cases, frame, dialect)
        self.cases = cases
    }

    /// This file for a program that has only one kind of error: any is taken where a case expects a certain one.
    package var takingAnyRefusal: VectorFile {
        var file = self
        file.cases = cases.map(\.takingAnyRefusal)
        return file
    }

    /// The operations that its cases ask, each once, in their order.
    package var operations: [String] {
        var names: [String] = []
        for test in cases where !names.contains(test.operation) { names.append(test.operation) }
        return names
    }

    private static func forEachGroup(
        of frame: FrameObject, _ body: (FrameObject) throws(VectorFileError) -> Void
    ) throws(VectorFileError) {
        for (number, value) in zip(1..., try frame.list("testGroups")) {
            try body(try FrameObject(value, "testGroups", at: .group(number)))
        }
    }

    private static func notes(_ frame: FrameObject) -> [String: String] {
        let texts = (frame["notes"]?.members ?? []).compactMap { note in
            note.value.string.map { (note.name, $0) }
        }
        return Dictionary(texts) { first, _ in first }
    }

    /// Wycheproof's older files do not name them.
    private static func sources(_ frame: FrameObject) throws(VectorFileError) -> [String] {
        var sources: [String] = []
        try forEachGroup(of: frame) { (group) throws(VectorFileError) in
            guard let value = group["source"] else { return }
            let source = try FrameObject(value, "source", at: group.place)
            try source.check(MemberName.list("name version"))
            let text = "\(try source.text("name")) \(try source.text("version"))"
            if !sources.contains(text) { sources.append(text) }
        }
        return sources
    }

    private static func check(
        _ cases: [VectorCase], _ frame: FrameObject, _ dialect: Dialect
    ) throws(VectorFileError) {
        let declared = try frame.count("numberOfTests")
        guard declared == cases.count else { throw .wrongCount(declared: declared, found: cases.count) }
        var seen: Set<Int> = []
        for test in cases where !seen.insert(test.id).inserted { throw .duplicateID(test.id) }
        guard dialect.explainsEveryFlag else { return }
        _ = try FrameObject(frame["notes"], "notes", at: .file)
        let notes = notes(frame)
        for test in cases {
            for flag in test.flags where notes[flag] == nil { throw .unexplainedFlag(flag, .test(test.id)) }
        }
    }
}

/// Why a file is refused as a file of vectors, with all of its cases: a case that is left out would look like one that passed.
public enum VectorFileError: Error, Equatable, Sendable {
    /// Something else than one JSON object, in strict JSON.
    case notJSON(JSONFault)
    /// The schema is neither one of ours nor one of those of Wycheproof's that are known here.
    case unknownSchema(String)
    /// A member is missing.
    case missing(String, Place)
    /// A member that is foreign to this schema.
    case unknown(String, Place)
    /// A member has a wrong type or value.
    case wrong(String, Place)
    /// `numberOfTests` differs from the number of tests.
    case wrongCount(declared: Int, found: Int)
    /// Two tests have this `tcId`.
    case duplicateID(Int)
    /// A test has a flag that the notes leave unexplained.
    case unexplainedFlag(String, Place)

    /// Where in the file the fault is, for a person.
    public enum Place: Equatable, Sendable {
        /// The file as a whole.
        case file
        /// Counted from 1.
        case group(Int)
        /// By its `tcId`.
        case test(Int)

        var words: String {
            switch self {
            case .file: "the file"
            case .group(let number): "group \(number)"
            case .test(let id): "test \(id)"
            }
        }
    }

    /// What is wrong, in words for a person: lower case, no full stop.
    public var words: String {
        switch self {
        case .notJSON(let fault): "the file \(fault.message)"
        case .unknownSchema(let name): "its schema \(Shown.short(name)) is not known"
        case .missing(let name, let place): "\(place.words) has no \(name)"
        case .unknown(let name, let place):
            "\(place.words) has a member \(Shown.short(name)), which is not known"
        case .wrong(let name, let place): "the \(name) of \(place.words) is not what it must be"
        case .wrongCount(let declared, let found): "numberOfTests is \(declared), and it has \(found)"
        case .duplicateID(let id): "two tests have the tcId \(id)"
        case .unexplainedFlag(let flag, let place):
            "the notes do not explain the flag \(Shown.short(flag)) of \(place.words)"
        }
    }
}

extension VectorFileError: CloserError {
    /// What is wrong, in words for a person.
    public var description: String { words }
    /// Its name: `malformed`.
    public var id: String { ErrorID.malformed.rawValue }
    /// The number of the name.
    public var code: Int { ErrorID.malformed.number }
    /// What is wrong, as a sentence.
    public var summary: String { words.sentence }
    /// What to do, as a sentence.
    public var remedy: String? { nil }
}
