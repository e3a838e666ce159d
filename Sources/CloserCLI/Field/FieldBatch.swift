internal import CloserKeys
internal import CloserTink
internal import CloserWire

// Many fields in one run. What `field open` gives goes into `field seal`, and with each plaintext the origin of the key that
// opened it: a text that the server may have written must not come out under a key that the server never had.

extension BatchOptions {
    func seal(
        _ file: String?, with key: FieldKey, trustingOld: Bool, _ output: OutputOptions,
        inputs: inout Inputs
    ) throws {
        var oldCount = 0
        defer {
            warn(
                oldCount,
                "may be the server's, and will look as if they could not: seal with --require-rekeyed")
        }
        let shape = BatchShape.sealing(into: ["token"]).taking(BatchLine.origin)
        try run(file, shape, output, inputs: &inputs) { line in
            let (plaintext, source) = (try line.plaintext(), try line.origin())
            let token = try key.seal(plaintext, openedUnder: source, trustingOld: trustingOld)
            if key.predatesRekey(source), !trustingOld { oldCount += 1 }
            return [.init("token", .string(token.description))]
        }
    }

    func open(
        _ file: String?, with key: FieldKey, _ output: OutputOptions, inputs: inout Inputs
    ) throws {
        var oldCount = 0
        defer {
            warn(
                oldCount,
                "may be the server's, unless you stored them before the rekey: it may hold their key")
        }
        let shape = BatchShape.opening(["token"]).giving(BatchLine.origin)
        try run(file, shape, output, inputs: &inputs) { line in
            let opened = try key.open(FieldToken(reading: try line.text("token")))
            if key.predatesRekey(key.origin(ofKey: opened.keyID)) { oldCount += 1 }
            return .plaintext(opened.plaintext) + key.originMember(opened.keyID)
        }
    }

    private func warn(_ count: Int, _ words: String) {
        if count > 0 { Messages.warn("fields of origin invite: \(count); they \(words)") }
    }
}

extension BatchLine {
    /// The member that tells how the key came that opened a plaintext.
    static let origin = "origin"

    /// What it says; nil if the line has none, as for a text that was never sealed.
    fileprivate func origin() throws -> KeyOrigin? {
        guard has(Self.origin) else { return nil }
        let text = try text(Self.origin)
        guard let origin = KeyOrigin.allCases.first(where: { $0.rawValue.utf8.elementsEqual(text) }) else {
            throw Failure(
                .malformed, "origin must be invite or rekey: it says which key opened the plaintext")
        }
        return origin
    }
}
