internal import CloserVectors
internal import CloserWire

/// A line that an adapter wrote, read strictly: a half-right answer is a fault.
struct AdapterLine {
    private let bytes: [UInt8]
    private let members: [JSONValue.Member]

    /// Throws unless it is an object that answers the request of this number.
    init(_ bytes: [UInt8], answering number: Int) throws(AdapterSession.Fault) {
        let value: JSONValue
        do { value = try JSONValue(parsing: bytes) } catch {
            throw Self.garbage("the line is not strict JSON", bytes)
        }
        guard let members = value.members else { throw Self.garbage("the line is no object", bytes) }
        guard let answered = members["seq"]?.number else { throw Self.garbage("it has no seq", bytes) }
        guard answered == Double(number) else { throw Self.garbage("its seq is not \(number)", bytes) }
        (self.bytes, self.members) = (bytes, members)
    }

    /// The answer to `start`.
    func features() throws(AdapterSession.Fault) -> Set<String> {
        try check(["seq", "features"])
        guard let names = self["features"]?.elements?.lazy.map(\.string), !names.contains(nil) else {
            throw garbage("its features are no list of texts")
        }
        return Set(names.compactMap(\.self))
    }

    func answer() throws(AdapterSession.Fault) -> Answer {
        try check(["seq", "output", "error", "skip", "trace"])
        let kinds = ["output", "error", "skip"].filter { self[$0] != nil }
        guard kinds.count == 1 else { throw garbage("it has \(kinds.count) of output, error and skip") }
        return Answer(try outcome(kinds[0]), trace: try trace())
    }

    private func outcome(_ kind: String) throws(AdapterSession.Fault) -> Outcome {
        switch (kind, self[kind]) {
        case ("output", let output?) where output.members != nil: return .output(output)
        case ("error", .string(let id)?): return .error(id)
        case ("skip", .string(let reason)?): return .skipped(reason)
        default: throw garbage("its \(kind) is of the wrong type")
        }
    }

    private func trace() throws(AdapterSession.Fault) -> Trace {
        guard let value = self["trace"] else { return Trace() }
        guard let trace = Trace(value) else { throw garbage("its trace has other members than those known") }
        return trace
    }

    private func check(_ names: [String]) throws(AdapterSession.Fault) {
        guard let stranger = members.first(where: { !names.contains($0.name) }) else { return }
        throw garbage("it has an unknown member '\(Shown.short(stranger.name))'")
    }

    private func garbage(_ why: String) -> AdapterSession.Fault { Self.garbage(why, bytes) }

    /// Quotes the line, so that an author who prints for debugging on standard output recognises it.
    private static func garbage(_ why: String, _ line: [UInt8]) -> AdapterSession.Fault {
        .garbage("\(why): \"\(Shown.beginning(of: line))\"")
    }

    private subscript(name: String) -> JSONValue? { members[name] }
}
