internal import CloserKeys
internal import CloserPrimitives
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
                Diagnostics.warn("\(words), and sealing removes that mark: use --require-private")
            }
        }
        try run(
            file, .sealing(into: [.token]).taking(.origin).taking(.bound), output, inputs: &inputs,
            generation: current.reloaded
        ) { nonces in
            let key = current.forThread().key
            var box: [UInt8] = []
            return { line, result in
                let (place, source) = (try line.fieldPlace(), try line.source(isTrusted: trustingOld))
                try line.withPlaintext { plaintext in
                    try plaintext.refuseToken()
                    try result.append(.token, plain: key.tokenCount(plaintext.count, at: place)) { token in
                        try key.seal(
                            plaintext, at: place, of: source, from: nonces, through: &box, into: &token)
                    }
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
                Diagnostics.note("fields that lack a place: \(unbound.value); the server may have moved them")
            }
            if let words = old.words {
                Diagnostics.note("\(words), unless you stored them before the rekey or the pairing")
            }
        }
        let shape = BatchShape.opening([.token]).giving(.origin).giving(.bound)
        try run(
            file, mixed ? shape.ofObjects : shape, output, inputs: &inputs, generation: current.reloaded
        ) { _ in
            let reader = current.forThread()
            var (box, plaintext): ([UInt8], [UInt8]) = ([], [])
            return { line, result in
                plaintext.removeAll(keepingCapacity: true)
                let place = try line.fieldPlace()
                let proof = try line.withText(.token) { text in
                    try text.asField {
                        try reader.read(
                            text, at: place, allowingUnbound: allowsUnbound, isMixed: mixed, through: &box,
                            into: &plaintext)
                    }
                }
                result.append(plaintext: plaintext.span)
                guard let proof else { return result.append(BatchLine.plaintextOrigin) }
                if reader.key.predatesRekey(proof.origin) { old.add() }
                if proof.isBound == false { unbound.add() }
                result.append(proof.members)
            }
        }
    }
}

/// How many lines of a batch have something in common, in all threads.
final class LineCount: Sendable {
    private let count = Lock(0)

    var value: Int { count.withLock { $0 } }

    func add() { count.withLock { $0 += 1 } }

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
    func fieldPlace() throws -> FieldPlace? {
        has(.place) ? try withText(.place) { try FieldPlace(parsing: [UInt8](copying: $0)) } : nil
    }

    /// Where the plaintext comes from, as the line says. Without an origin it was never sealed. The server may have written what was
    /// plaintext. Where `open` was given no place, it gives the origin of a token alone.
    func source(isTrusted: Bool) throws -> FieldSource {
        let said = has(.origin) ? try text(.origin) : nil
        let wasPlaintext = said?.elementsEqual(Self.plaintext.utf8) == true
        return FieldSource(
            openedUnder: wasPlaintext ? .invite : try said.map(Self.origin),
            isUnbound: try isUnbound() ?? (said != nil && !wasPlaintext), isTrusted: isTrusted)
    }

    /// The origin of what was plaintext on the server.
    private static let plaintext = "plaintext"
    fileprivate static let plaintextOrigin = [JSONValue.Member("origin", .string(plaintext))]

    /// Whether the plaintext was opened from a token without a place; nil if the line does not say.
    private func isUnbound() throws -> Bool? {
        guard has(.bound) else { return nil }
        switch try value(.bound) {
        case Array("true".utf8): return false
        case Array("false".utf8): return true
        default:
            throw CLIError(.malformed, "bound must be true or false: it says whether a place was checked")
        }
    }

    private static func origin(_ text: [UInt8]) throws -> KeyOrigin {
        guard let origin = KeyOrigin.allCases.first(where: { $0.rawValue.utf8.elementsEqual(text) }) else {
            let all = (KeyOrigin.allCases.map(\.rawValue) + [plaintext]).joined(separator: ", ")
            throw CLIError(.malformed, "origin must be one of \(all): it says which key opened the plaintext")
        }
        return origin
    }
}
