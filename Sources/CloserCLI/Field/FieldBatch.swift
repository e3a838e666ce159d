#if CommandLine
internal import CloserKeys
internal import CloserPrimitives
internal import CloserTink
internal import CloserWire

// Many fields in one run. What `field open` gives goes into `field seal`, and with each plaintext the origin of the key that
// opened it, and whether it was bound to its place: a text that the server may have written must not come out under a key that the server
// never had, and one that it may have moved is bound to a place only at the user's word.

extension BatchOptions {
    func seal(
        _ file: String?, with current: CurrentFieldKey, trustingOld: Bool, _ output: OutputOptions,
        inputs: inout Inputs
    ) throws {
        let old = LineCount()
        defer {
            if let words = old.words {
                Diagnostics.warn(
                    "\(words), and sealing removes that mark: use --require-rekeyed"
                )
            }
        }
        try run(
            file, .sealing(into: [.token]).taking(.origin).taking(.bound), output, inputs: &inputs,
            generation: current.reloaded
        ) { nonces in
            let key = current.forThread()
            var box: [UInt8] = []
            return { line, result in
                let source = try line.source(isTrusted: trustingOld)
                let binding = try line.place().map(FieldBinding.place) ?? .couple
                try line.withPlaintext { plaintext in
                    try plaintext.refuseToken()
                    try result.append(
                        plaintext, sealedBy: key, bound: binding, of: source, nonces, through: &box)
                }
                if key.predatesRekey(source.key), !trustingOld { old.add() }
            }
        }
    }

    /// Opens the tokens; a `mixed` input has plaintext, too.
    func open(
        _ file: String?, with current: CurrentFieldKey, mixed: Bool, allowingUnbound allowsUnbound: Bool,
        _ output: OutputOptions, inputs: inout Inputs
    ) throws {
        let (old, unbound) = (LineCount(), LineCount())
        defer {
            if unbound.value > 0 {
                Diagnostics.note(
                    "fields that lack a place: \(unbound.value); the server may have moved them")
            }
            if let words = old.words {
                Diagnostics.note(
                    "\(words), unless you stored them before the rekey or the pairing")
            }
        }
        let shape = BatchShape.opening([.token]).giving(.origin).giving(.bound)
        try run(
            file, mixed ? shape.ofObjects : shape, output, inputs: &inputs, generation: current.reloaded
        ) { _ in
            let reader = current.readerForThread()
            let key = reader.key
            var (box, plaintext): ([UInt8], [UInt8]) = ([], [])
            return { line, result in
                plaintext.removeAll(keepingCapacity: true)
                let demand = FieldDemand(place: try line.place(), allowsUnbound: allowsUnbound)
                let opened = try line.withText(.token) { text -> (keyID: UInt32, binding: FieldBinding)? in
                    guard mixed, try reader.isPlaintext(text) else {
                        let binding = demand.binding(of: text)
                        let keyID = try key.open(line: text, bound: binding, through: &box, into: &plaintext)
                        return (keyID, binding)
                    }
                    plaintext.append(addingCapacity: text.count) { $0.append(text) }
                    return nil
                }
                result.append(plaintext: plaintext.span)
                guard let (keyID, binding) = opened else { return result.append(BatchLine.plaintextOrigin) }
                if key.predatesRekey(key.origin(ofKey: keyID)) { old.add() }
                if demand.isUnbound(binding) { unbound.add() }
                result.append(key.originMember(keyID) + demand.members(binding))
            }
        }
    }
}

extension JSONMembers {
    /// Appends the token of a plaintext.
    mutating func append(
        _ plaintext: Span<UInt8>, sealedBy key: FieldKey, bound binding: FieldBinding,
        of source: FieldSource, _ nonces: Randomness, through box: inout [UInt8]
    ) throws {
        let count = key.tokenCount(plaintext.count, bound: binding)
        try append(.token, plain: count) { token throws in
            try key.seal(
                plaintext, bound: binding, of: source, from: nonces, through: &box, into: &token)
        }
    }
}

extension FieldKey {
    /// Opens the token that a line has, or says what the text is instead. Gives the key's id.
    func open(
        line text: Span<UInt8>, bound binding: FieldBinding, through box: inout [UInt8],
        into plaintext: inout [UInt8]
    ) throws -> UInt32 {
        try FileKind.field.read(text) { () throws in
            do {
                return try open(token: text, bound: binding, through: &box, into: &plaintext)
            } catch let error as TokenError { throw CLIError(error, noun: "field") }
        }
    }
}

/// How many lines of a batch have something in common, in all threads.
final class LineCount: Sendable {
    private let count = Lock(0)

    var value: Int { count.withLock { $0 } }

    func add() { count.withLock { $0 += 1 } }
}

extension LineCount {
    /// The beginning of a sentence about fields of other keys than the primary; nil if there are none.
    fileprivate var words: String? {
        value > 0
            ? "fields under keys that the server may hold: \(value); the server may have written them" : nil
    }
}

extension JSONLine.Name {
    static let token = Self("token")
    /// The member that tells how the key came that opened a plaintext.
    static let origin = Self("origin")
    /// The member that tells whether a plaintext was bound to its place.
    static let bound = Self("bound")
    fileprivate static let place = Self("place")
}

extension BatchLine {
    /// Where the field is; nil if the line has no place.
    func place() throws -> FieldPlace? {
        has(.place) ? try withText(.place) { try FieldPlace(parsing: [UInt8](copying: $0)) } : nil
    }

    /// Where the plaintext comes from: as the line says, or else from a key of `origin`.
    func source(isTrusted: Bool, otherwise origin: KeyOrigin? = nil) throws -> FieldSource {
        FieldSource(
            openedUnder: try self.origin() ?? origin, isUnbound: try isUnbound(), isTrusted: isTrusted)
    }

    /// The origin of what was plaintext on the server.
    private static let plaintext = "plaintext"
    /// The member that tells it.
    fileprivate static let plaintextOrigin = [JSONValue.Member("origin", .string(plaintext))]

    /// Whether the plaintext was opened from a token without a place. Where `open` was given none, it gives an origin alone. What was
    /// plaintext was no token.
    private func isUnbound() throws -> Bool {
        guard has(.bound) else { return try has(.origin) && !wasPlaintext() }
        switch try value(.bound) {
        case Array("true".utf8): return false
        case Array("false".utf8): return true
        default:
            throw CLIError(.malformed, "bound must be true or false: it says whether a place was checked")
        }
    }

    private func wasPlaintext() throws -> Bool { Self.plaintext.utf8.elementsEqual(try text(.origin)) }

    /// What it says; nil if the line has none, as for a text that was never sealed. The server may have written what was plaintext.
    private func origin() throws -> KeyOrigin? {
        guard has(.origin) else { return nil }
        guard try !wasPlaintext() else { return .invite }
        let text = try text(.origin)
        guard let origin = KeyOrigin.allCases.first(where: { $0.rawValue.utf8.elementsEqual(text) }) else {
            let all = (KeyOrigin.allCases.map(\.rawValue) + [Self.plaintext]).joined(separator: ", ")
            throw CLIError(.malformed, "origin must be one of \(all): it says which key opened the plaintext")
        }
        return origin
    }
}
#endif
