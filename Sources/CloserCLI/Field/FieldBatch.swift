#if CommandLine
internal import CloserKeys
internal import CloserPrimitives
internal import CloserTink
internal import CloserWire

// Many fields in one run. What `field open` gives goes into `field seal`, and with each plaintext the origin of the key that
// opened it: a text that the server may have written must not come out under a key that the server never had.

extension BatchOptions {
    func seal(
        _ file: String?, with current: CurrentFieldKey, trustingOld: Bool, _ output: OutputOptions,
        inputs: inout Inputs
    ) throws {
        let old = LineCount()
        defer {
            if let words = old.words {
                Diagnostics.warn(
                    "\(words) may be the server's, and will look as if they could not: seal with --require-rekeyed"
                )
            }
        }
        try run(
            file, .sealing(into: [.token]).taking(.origin), output, inputs: &inputs,
            generation: current.reloaded
        ) { nonces in
            let key = current.forThread()
            var box: [UInt8] = []
            return { line, result in
                let source = try line.origin()
                try line.withPlaintext { plaintext in
                    try plaintext.refuseToken()
                    try result.append(.token, plain: key.tokenCount(plaintext.count)) { text throws in
                        try key.seal(
                            plaintext, openedUnder: source, trustingOld: trustingOld, from: nonces,
                            through: &box, into: &text)
                    }
                }
                if key.predatesRekey(source), !trustingOld { old.add() }
            }
        }
    }

    /// Opens the tokens; a `mixed` input has plaintext, too.
    func open(
        _ file: String?, with current: CurrentFieldKey, mixed: Bool, _ output: OutputOptions,
        inputs: inout Inputs
    ) throws {
        let old = LineCount()
        defer {
            if let words = old.words {
                Diagnostics.note(
                    "\(words) may be the server's, unless you stored them before the rekey or the pairing")
            }
        }
        let shape = BatchShape.opening([.token]).giving(.origin)
        try run(
            file, mixed ? shape.ofObjects : shape, output, inputs: &inputs, generation: current.reloaded
        ) { _ in
            let reader = current.readerForThread()
            let key = reader.key
            var (box, plaintext): ([UInt8], [UInt8]) = ([], [])
            return { line, result in
                plaintext.removeAll(keepingCapacity: true)
                let keyID: UInt32? = try line.withText(.token) { text in
                    guard mixed, try reader.isPlaintext(text) else {
                        return try key.open(line: text, through: &box, into: &plaintext)
                    }
                    plaintext.append(addingCapacity: text.count) { $0.append(text) }
                    return nil
                }
                if let keyID, key.predatesRekey(key.origin(ofKey: keyID)) { old.add() }
                result.append(plaintext: plaintext.span)
                result.append(keyID.map(key.originMember) ?? [.init("origin", .string(BatchLine.plaintext))])
            }
        }
    }
}

extension FieldKey {
    /// Opens the token that a line has, or says what the text is instead. Gives the key's id.
    func open(line text: Span<UInt8>, through box: inout [UInt8], into plaintext: inout [UInt8]) throws
        -> UInt32
    {
        try FileKind.field.read(text) { () throws in
            do { return try open(token: text, through: &box, into: &plaintext) } catch let error as TokenError
            {
                throw CLIError(error, noun: "field")
            }
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
        value > 0 ? "fields under keys that the server may hold: \(value); they" : nil
    }
}

extension JSONLine.Name {
    static let token = Self("token")
    /// The member that tells how the key came that opened a plaintext.
    static let origin = Self("origin")
}

extension BatchLine {
    /// The origin of what was plaintext on the server.
    fileprivate static let plaintext = "plaintext"

    /// What it says; nil if the line has none, as for a text that was never sealed. The server may have written what was plaintext.
    func origin() throws -> KeyOrigin? {
        guard has(.origin) else { return nil }
        let text = try text(.origin)
        guard !Self.plaintext.utf8.elementsEqual(text) else { return .invite }
        guard let origin = KeyOrigin.allCases.first(where: { $0.rawValue.utf8.elementsEqual(text) }) else {
            let all = (KeyOrigin.allCases.map(\.rawValue) + [Self.plaintext]).joined(separator: ", ")
            throw CLIError(.malformed, "origin must be one of \(all): it says which key opened the plaintext")
        }
        return origin
    }
}
#endif
