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

    func open(
        _ file: String?, with current: CurrentFieldKey, _ output: OutputOptions, inputs: inout Inputs
    ) throws {
        let old = LineCount()
        defer {
            if let words = old.words {
                Diagnostics.note(
                    "\(words) may be the server's, unless you stored them before the rekey or the pairing")
            }
        }
        try run(
            file, .opening([.token]).giving(.origin), output, inputs: &inputs, generation: current.reloaded
        ) { _ in
            let key = current.forThread()
            var (box, plaintext): ([UInt8], [UInt8]) = ([], [])
            return { line, result in
                plaintext.removeAll(keepingCapacity: true)
                let keyID = try line.withText(.token) { token in
                    try FileKind.field.read(token) { () throws in
                        do { return try key.open(token: token, through: &box, into: &plaintext) } catch let
                            error as TokenError
                        {
                            throw CLIError(error, noun: "field")
                        }
                    }
                }
                if key.predatesRekey(key.origin(ofKey: keyID)) { old.add() }
                result.append(plaintext: plaintext.span)
                result.append(key.originMember(keyID))
            }
        }
    }
}

/// How many lines of a batch have something in common, whichever thread they come to.
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
    fileprivate static let token = Self("token")
    /// The member that tells how the key came that opened a plaintext.
    fileprivate static let origin = Self("origin")
}

extension BatchLine {
    /// What it says; nil if the line has none, as for a text that was never sealed.
    fileprivate func origin() throws -> KeyOrigin? {
        guard has(.origin) else { return nil }
        let text = try text(.origin)
        guard let origin = KeyOrigin.allCases.first(where: { $0.rawValue.utf8.elementsEqual(text) }) else {
            let all = KeyOrigin.allCases.map(\.rawValue).joined(separator: ", ")
            throw CLIError(.malformed, "origin must be one of \(all): it says which key opened the plaintext")
        }
        return origin
    }
}
#endif
