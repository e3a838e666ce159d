#if CommandLine
internal import CloserKeys
internal import CloserTink
internal import CloserWire

// Many texts of a couple that come to be sealed (closer-keys-trust(7), MIGRATION). A run that was stopped is run again: what it has sealed
// passes unchanged.

extension BatchOptions {
    /// Seals the texts that are plaintext, and passes those that are sealed and open.
    ///
    /// The server stored the plaintext, so it may have written it: it counts as opened with a key that the server holds.
    func migrate(
        _ file: String?, with current: CurrentFieldKey, trustingOld: Bool, _ output: OutputOptions,
        inputs: inout Inputs
    ) throws {
        let (sealed, passed) = (LineCount(), LineCount())
        defer {
            Diagnostics.note(
                "sealed: \(sealed.value), of plaintext that the server may have written; already sealed: \(passed.value)"
            )
        }
        try run(
            file, .sealing(into: [.token]).taking(.origin), output, inputs: &inputs,
            generation: current.reloaded
        ) { nonces in
            let key = current.forThread()
            var (box, opened): ([UInt8], [UInt8]) = ([], [])
            return { line, result in
                let source = try line.origin() ?? .invite
                try line.withPlaintext { text in
                    guard !FieldToken.mayBegin(text) else {
                        opened.removeAll(keepingCapacity: true)
                        _ = try key.open(line: text, through: &box, into: &opened)
                        passed.add()
                        return result.append(.token, plain: text.count) { $0.append(text) }
                    }
                    try result.append(.token, plain: key.tokenCount(text.count)) { token throws in
                        try key.seal(
                            text, openedUnder: source, trustingOld: trustingOld, from: nonces, through: &box,
                            into: &token)
                    }
                    sealed.add()
                }
            }
        }
    }
}

extension Span<UInt8> {
    /// Refuses to seal what begins as a token does: a text that is sealed twice is lost to the apps.
    func refuseToken() throws {
        guard FieldToken.mayBegin(self) else { return }
        throw CLIError(
            .inputRequired, "this begins with enc:, as a text does that is sealed already",
            hint: "closer-keys field seal --migrate --jsonl seals what is plaintext, and passes the rest")
    }
}
#endif
