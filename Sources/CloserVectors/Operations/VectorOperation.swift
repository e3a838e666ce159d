internal import CloserPrimitives
internal import CloserWire

/// What a vector asks of an implementation. One value has all that there is to say of an operation.
///
/// To add one, write its value in the file of its noun and enter it in that file's `all`. Tests then name what is
/// missing: its rows in `vectors/README.md` and closer-keys-vectors(7), its schema, and the partner in Python.
package struct VectorOperation: Sendable {
    /// The name that a group's `type` and the line protocol have.
    package let name: String
    let source: Source
    /// The members of a group beside those of the frame. All members that an operation of ours takes are texts.
    let groupMembers: [MemberName]
    /// The members of a test beside those of the frame.
    let testMembers: [MemberName]
    /// The members of its output.
    package let gives: [MemberName]
    /// How live cases are drawn of what both sides compute alike; nil for all others.
    let computing: (@Sendable () throws -> LiveCase)?
    /// How live cases are drawn if it seals. Those of an operation that reads are drawn by the one that seals.
    let sealing: LiveSealing?
    private let body: Sealing
    private let tracing: Tracing?

    /// Takes a case and gives the members of its output, or throws one of the libraries' errors.
    typealias Reading = @Sendable (VectorInput) throws -> JSONValue
    /// An operation that seals, which is told where random bytes come from.
    typealias Sealing = @Sendable (VectorInput, Randomness) throws -> JSONValue
    /// Adds our values on the way to the output to a trace. It may throw after the first of them.
    typealias Tracing = @Sendable (VectorCase, inout Trace) throws -> Void

    /// Where its cases come from.
    enum Source: Sendable {
        /// Files of ours with this schema.
        case file(String)
        /// Files of Wycheproof's own.
        case wycheproof(WycheproofSchema)
        /// Live cases alone.
        case drawn
    }

    /// An operation that files of vectors ask.
    init(
        _ name: String, file schema: String, group: String = "", takes test: String, gives: String,
        trace tracing: Tracing? = nil, drawn: (@Sendable () throws -> LiveCase)? = nil,
        run: @escaping Reading
    ) {
        (self.name, source, self.tracing) = (name, .file(schema), tracing)
        (groupMembers, testMembers) = (MemberName.list(group), MemberName.list(test))
        (self.gives, body) = (MemberName.list(gives), { input, _ in try run(input) })
        (computing, sealing) = (drawn, nil)
    }

    /// An operation that seals. Only live cases ask it, since its right output differs each time.
    init(_ name: String, takes test: String, gives: String, drawn: LiveSealing, seal: @escaping Sealing) {
        (self.name, source, tracing) = (name, .drawn, nil)
        (groupMembers, testMembers) = ([], MemberName.list(test))
        (self.gives, body) = (MemberName.list(gives), seal)
        (computing, sealing) = (nil, drawn)
    }

    /// An operation that files of Wycheproof's own ask.
    init(_ schema: WycheproofSchema, run: @escaping Reading) {
        (name, source, tracing) = (schema.operation, .wycheproof(schema), nil)
        (computing, sealing) = (nil, nil)
        (groupMembers, testMembers, gives) = ([], schema.input, schema.output)
        body = { input, _ in try run(input) }
    }

    /// The result that closer-keys itself gives for a case.
    func output(of input: VectorInput, from randomness: Randomness) throws -> JSONValue {
        try body(input, randomness)
    }

    /// Our values on the way to the output, computed once more from the primitives.
    ///
    /// While an operation runs, what it derives stays in locked memory. This is for vectors alone, which are published.
    func trace(of test: VectorCase) -> Trace {
        var trace = Trace()
        // Where the case has a fault, some value cannot be computed: the trace has those before it.
        try? tracing?(test, &trace)
        return trace
    }
}

extension VectorOperation {
    /// All of them. Reports on live cases have this order.
    package static let all =
        KeysetOperations.all + FieldOperations.all + KeyboxOperations.all + FileOperations.all
        + ChatOperations.all + BoundMessageOperations.all + AnswerOperations.all + CoupleOperations.all
        + RekeyOperations.all + DocumentOperations.all + OpeningKeysOperations.all + PairOperations.all
        + CPaceOperations.all + PairingOperations.all + SafetyNumberOperations.all + WireOperations.all
        + WycheproofOperations.all

    private static let byName = Dictionary(all.map { ($0.name, $0) }) { first, _ in first }

    static func named(_ name: String) -> VectorOperation? { byName[name] }

    /// Those that a file with this schema may ask; none for another schema.
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
