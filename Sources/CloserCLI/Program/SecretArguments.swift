internal import CloserFiles
internal import CloserKeys
internal import CloserPrimitives
internal import CloserSystem
internal import CloserVault

extension CLIError {
    /// This failure, which ends the run, without the arguments that look like a secret. Where `inspect "$PHRASE"` finds no such file, its
    /// message names the file, and a log may keep what the message says.
    var withoutSecretArguments: CLIError {
        let secrets = ProcessArguments.thatLookSecret
        guard !secrets.isEmpty else { return self }
        func hiding(_ text: String) -> String {
            secrets.reduce(text) { $0.replacing($1, with: "(an argument that looks like a secret)") }
        }
        var failure = CLIError(id, hiding(message), hint: hint.map(hiding))
        failure.isReported = isReported
        return failure
    }
}

extension ProcessArguments {
    /// Also the value of `--option=value`.
    fileprivate static var thatLookSecret: [String] {
        let given = (all ?? []).prefix { $0 != "--" }
        let values = given.filter { $0.hasPrefix("-") }
            .compactMap { $0.split(separator: "=", maxSplits: 1).dropFirst().first.map(String.init) }
        return (given + values).filter(\.looksSecret)
    }
}

extension String {
    /// A phrase, also one with hyphens or a mistyped word, or a sentence; the code of a link; a pairing code as it is shown; a key.
    fileprivate var looksSecret: Bool {
        guard Paths.isMissing(self) else { return false }
        guard split(whereSeparator: \.isWhitespace).count < 4 else { return true }
        if let advice = try? RecoveryPhrase(typed: SecretBytes(copying: Array(utf8).span)).advice(),
            advice.wordCount - advice.unknownWords.count >= 4
        {
            return true
        }
        let text = SecretBytes(copying: Array(utf8).span)
        if (try? DeviceLink.Code(typed: SecretBytes(copying: utf8))) != nil { return true }
        if self == uppercased() || (contains("-") && contains(where: \.isNumber)),
            (try? PairingCode(typed: text)) != nil
        {
            return true
        }
        let kind = FileKind(Array(utf8).span)
        return [.key, .keyset, .base64Keyset, .hexKeyset].contains(kind)
    }
}
