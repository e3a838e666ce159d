#if CommandLine
internal import CloserKeys
internal import CloserTink
internal import CloserWire

// Many texts of a couple, some of them in the clear (closer-keys-trust(7), ENCRYPTION VERSION). A run that was stopped is run again: what it has sealed
// passes unchanged.

extension BatchOptions {
    /// Seals the texts that are plaintext, and passes those that are sealed and open.
    ///
    /// A line with a place gets a token that is bound to it, one with `enc:v1:` only if the old tokens are trusted: the server may have moved
    /// them there. The server stored the plaintext, so it may have written it: it counts as opened with a key that the server holds.
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
            let reader = current.readerForThread()
            let (key, takesPlaintext) = (reader.key, reader.migration.sealsPlaintext || trustingOld)
            var (box, opened): ([UInt8], [UInt8]) = ([], [])
            return { line, result in
                let demand = FieldDemand(place: try line.place(), allowsUnbound: trustingOld)
                let source = try line.source(isTrusted: trustingOld, otherwise: .invite)
                func seal(_ text: Span<UInt8>, of source: FieldSource) throws {
                    try result.append(
                        text, sealedBy: key, bound: demand.wanted, of: source, nonces, through: &box)
                    sealed.add()
                }
                try line.withText { text in
                    guard FieldToken.mayBegin(text) else {
                        guard takesPlaintext else { throw FieldReadError.plaintext }
                        return try seal(text, of: source)
                    }
                    opened.removeAll(keepingCapacity: true)
                    let found = demand.binding(of: text)
                    let keyID = try key.open(line: text, bound: found, through: &box, into: &opened)
                    guard !demand.isUnbound(found) else {
                        let source = FieldSource(
                            openedUnder: key.origin(ofKey: keyID), isUnbound: true, isTrusted: trustingOld)
                        return try seal(opened.span, of: source)
                    }
                    passed.add()
                    result.append(.token, plain: text.count) { $0.append(text) }
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
#endif
