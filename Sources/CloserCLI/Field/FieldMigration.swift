internal import CloserKeys
internal import CloserWire

// Many texts of a couple, some of them in the clear (closer-keys-trust(7), ENCRYPTION VERSION). A run that was stopped is run again: what it has sealed
// passes unchanged.

extension BatchOptions {
    /// Seals the texts that are plaintext, and passes those that are sealed and open.
    ///
    /// A line with a place gets a token that is bound to it: ``FieldReader/migrated(_:place:trustingOld:from:)``.
    func migrate(
        _ file: String?, with current: CurrentFieldKey, trustingOld: Bool, _ output: OutputOptions,
        inputs: inout Inputs
    ) throws {
        let (sealed, passed) = (LineCount(), LineCount())
        defer {
            Diagnostics.note(
                "sealed: \(sealed.value), which the server may have written; already sealed: \(passed.value)"
            )
        }
        try run(
            file, .sealing(into: [.token]).taking(.token).taking(.origin).taking(.bound), output,
            inputs: &inputs,
            generation: current.reloaded
        ) { nonces in
            let reader = current.forThread()
            var (box, opened): ([UInt8], [UInt8]) = ([], [])
            return { line, result in
                let (place, source) = (try line.fieldPlace(), try line.source(isTrusted: trustingOld))
                try line.withText { text in
                    // No token is longer than that of a plaintext of its length.
                    try result.append(.token, plain: reader.key.tokenCount(text.count, at: place)) { token in
                        let isNew = try text.asField {
                            try reader.migrate(
                                text, at: place, of: source, from: nonces, through: &box, &opened,
                                into: &token)
                        }
                        (isNew ? sealed : passed).add()
                    }
                }
            }
        }
    }
}

extension BatchLine {
    /// Lends what the server has: as `field open` takes it, or as `field seal` does.
    fileprivate func withText<Result>(_ body: (Span<UInt8>) throws -> Result) throws -> Result {
        guard has(.token) else { return try withPlaintext(body) }
        guard !has(.text), !has(.base64) else {
            throw CLIError(.malformed, "this line has both token and plaintext: give one of the two")
        }
        return try withText(.token, body)
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
