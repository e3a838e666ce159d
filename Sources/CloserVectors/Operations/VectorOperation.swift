internal import CloserPrimitives
internal import CloserWire

/// What a vector asks of an implementation, all of it in one value: the tables of operations are made from these.
///
/// To add one, write its value in the file of its noun and enter it in that file's `all`. Tests then name what is
/// missing: its rows in `vectors/README.md` and closer-keys-vectors(7), its schema, and the partner in Python.
package struct VectorOperation: Sendable {
    /// As a group's `type` and the line protocol name it.
    package let name: String
    let source: Source
    /// The members of a group beside those of the frame. All that an operation takes are texts.
    let groupMembers: [MemberName]
    /// The members of a test beside those of the frame.
    let testMembers: [MemberName]
    /// The members of its output.
    package let gives: [MemberName]
    let live: Live?
    private let body: Sealing
    private let tracing: Tracing?

    /// Takes a case and gives the members of its output, or throws one of the libraries' errors.
    typealias Reading = @Sendable (VectorInput) throws -> JSONValue
    /// The same, and is told where nonces, salts and keys come from.
    typealias Sealing = @Sendable (VectorInput, Randomness) throws -> JSONValue
    /// Computes our values on the way to the output, as far as it comes before it throws.
    typealias Tracing = @Sendable (VectorCase, inout Trace) throws -> Void

    /// Where its cases come from.
    enum Source: Sendable {
        /// Files of ours with this schema.
        case file(String)
        /// Files of Wycheproof's own.
        case wycheproof(WycheproofSchema)
        /// Only those that are drawn when they are asked.
        case drawn
    }

    /// How live cases of it are drawn, for those operations that are not the reader of a ``LiveSealing``.
    indirect enum Live: Sendable {
        /// Both sides compute the same.
        case computing(@Sendable () throws -> LiveCase)
        /// One side seals and the other reads.
        case sealing(LiveSealing)
    }

    /// An operation that files of vectors ask.
    init(
        _ name: String, file schema: String, group: String = "", takes test: String, gives: String,
        trace tracing: Tracing? = nil, drawn: (@Sendable () throws -> LiveCase)? = nil,
        run: @escaping Reading
    ) {
        (self.name, source, self.tracing) = (name, .file(schema), tracing)
        (groupMembers, testMembers) = (MemberName.list(group), MemberName.list(test))
        (self.gives, live, body) = (
            MemberName.list(gives), drawn.map(Live.computing), { input, _ in try run(input) }
        )
    }

    /// An operation that seals; no file can ask it, since its right output is another each time.
    init(
        _ name: String, takes test: String, gives: String, drawn: LiveSealing, seal: @escaping Sealing
    ) {
        (self.name, source, tracing) = (name, .drawn, nil)
        (groupMembers, testMembers) = ([], MemberName.list(test))
        (self.gives, live, body) = (MemberName.list(gives), .sealing(drawn), seal)
    }

    /// An operation that files of Wycheproof's own ask.
    init(_ schema: WycheproofSchema, run: @escaping Reading) {
        (name, source, tracing, live) = (schema.operation, .wycheproof(schema), nil, nil)
        (groupMembers, testMembers, gives) = ([], schema.input, schema.output)
        body = { input, _ in try run(input) }
    }

    /// What closer-keys itself makes of a case.
    func output(of input: VectorInput, from randomness: Randomness) throws -> JSONValue {
        try body(input, randomness)
    }

    /// Our values on the way to an output, computed again from the primitives when an answer is wrong.
    ///
    /// An operation tells none while it runs: what it derives stays in locked memory. What is in a vector is published.
    func trace(of test: VectorCase) -> Trace {
        var trace = Trace()
        // Behind the value at which it throws there is none: what was told so far is all.
        try? tracing?(test, &trace)
        return trace
    }
}

extension VectorOperation {
    /// All of them, ordered as reports on live cases have them.
    package static let all =
        KeysetOperations.all + FieldOperations.all + KeyboxOperations.all + FileOperations.all
        + ChatOperations.all + AnswerOperations.all + CoupleOperations.all + DocumentOperations.all
        + PairOperations.all + SafetyNumberOperations.all + WireOperations.all
        + WycheproofOperations.all

    private static let byName = Dictionary(all.map { ($0.name, $0) }) { first, _ in first }

    static func named(_ name: String) -> VectorOperation? { byName[name] }

    /// Those that a file with this schema of ours may ask; none for a schema that is not ours.
    static func of(schema: String) -> [VectorOperation] {
        all.filter { operation in
            guard case .file(schema) = operation.source else { return false }
            return true
        }
    }
}

/// The name of a member, and whether it must be there. A `?` behind the name says that it may be missing.
package struct MemberName: Equatable, Sendable {
    package let name: String
    let isOptional: Bool

    init(_ text: some StringProtocol) {
        isOptional = text.hasSuffix("?")
        name = String(isOptional ? text.dropLast() : text[...])
    }

    static func list(_ text: String) -> [MemberName] { text.split(separator: " ").map { MemberName($0) } }
}
