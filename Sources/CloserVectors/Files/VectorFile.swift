internal import CloserWire

/// A file of vectors in Wycheproof's frame, ours or Wycheproof's own, read whole and strictly.
///
/// Every member is known, every test is counted, every flag is explained: what is misread must not look like a pass.
package struct VectorFile: Sendable {
    /// What the file is called, for reports.
    package let name: String
    package let algorithm: String
    /// Who made the expected values, with versions, each once.
    package let sources: [String]
    package let cases: [VectorCase]
    /// What a flag means, for those that are explained in a text. Wycheproof's newer files have objects.
    let notes: [String: String]

    /// The most that a file may have: 64 MiB, many times the largest of Wycheproof's.
    package static let maximumByteCount = 64 << 20

    /// Parses one file.
    package init(name: String, parsing bytes: [UInt8]) throws(VectorFileError) {
        let value: JSONValue
        do { value = try JSONValue(parsing: bytes) } catch { throw .notJSON }
        guard value.members != nil else { throw .notJSON }
        let frame = try FrameObject(value, "file", at: .file)
        let dialect = try Dialect(frame)
        try frame.check(dialect.frameMembers)
        self.name = name
        algorithm = try frame.text("algorithm")
        let groups = try Self.groups(frame)
        sources = try Self.sources(of: groups)
        notes = Self.notes(frame)
        var cases: [VectorCase] = []
        for group in groups { cases += try dialect.cases(of: group) }
        try Self.check(cases, frame, dialect)
        self.cases = cases
    }

    private static func groups(_ frame: FrameObject) throws(VectorFileError) -> [FrameObject] {
        var groups: [FrameObject] = []
        for value in try frame.list("testGroups") {
            groups.append(try FrameObject(value, "testGroups", at: .group(groups.count + 1)))
        }
        return groups
    }

    private static func notes(_ frame: FrameObject) -> [String: String] {
        let texts = (frame["notes"]?.members ?? []).compactMap { note in
            note.value.string.map { (note.name, $0) }
        }
        return Dictionary(texts) { first, _ in first }
    }

    /// Wycheproof's older files do not name them.
    private static func sources(of groups: [FrameObject]) throws(VectorFileError) -> [String] {
        var sources: [String] = []
        for group in groups where group["source"] != nil {
            let source = try FrameObject(group["source"], "source", at: group.place)
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
