/// What people type that is called otherwise: by an earlier release, or by another program.
enum FormerNames {
    /// A former verb, or an option with its dashes, and what to type now: an option, or the line behind the program's name.
    private static let former = [
        "couple invite": "pair invite", "couple accept": "pair accept", "couple confirm": "pair confirm",
        "couple finish": "pair finish", "pair key": "x25519 new", "pair agree": "x25519 agree",
        "pair safety-number": "x25519 safety-number",
        "--release-key": "--release", "--partner-answer": "answer reveal FILE",
        "--accept-older": "device accept-older", "--passphrase-fd": "--passphrase-file /dev/fd/3",
        "--new-passphrase-fd": "--new-passphrase-file /dev/fd/3",
        "--export-passphrase-fd": "--export-passphrase-file /dev/fd/3",
        "--phrase-fd": "--phrase-file /dev/fd/3", "--code-fd": "--code-file /dev/fd/3",
        "--generate-completion-script": "completions bash", "-o": "> FILE", "--output": "> FILE",
    ]

    /// What other programs call a verb.
    private static let foreign = [
        "init": "device init", "unlock": "device unlock", "lock": "device lock", "backup": "device export",
        "export": "device export", "restore": "device import", "import": "device import",
        "device new": "device init", "device create": "device init", "device password": "device passphrase",
        "device backup": "device export", "device restore": "device import", "device status": "device show",
        "invite": "pair invite", "join": "pair accept", "pair new": "pair invite",
        "pair create": "pair invite",
        "pair join": "pair accept", "couple new": "pair invite", "couple pair": "pair invite",
        "list": "couple status", "recover": "couple recover", "verify": "couple verify",
        "pair verify": "couple verify", "couple safety-number": "couple verify",
        "couple rotate": "couple rekey",
        "couple delete": "couple forget", "couple remove": "couple forget", "seal": "field seal",
        "encrypt": "field seal", "field encrypt": "field seal", "open": "field open", "decrypt": "field open",
        "field decrypt": "field open", "file encrypt": "file seal", "file decrypt": "file open",
        "answer encrypt": "answer seal", "answer decrypt": "answer reveal", "answer show": "answer status",
        "keyset create": "keyset new", "keyset generate": "keyset new", "keyset show": "keyset list",
    ]

    /// The hint for words behind the program's name, or for an option with its dashes.
    static func hint(_ typed: String) -> String? {
        former[typed].map { "now it is \(line($0))" } ?? foreign[typed].map(line)
    }

    private static func line(_ now: String) -> String {
        now.first?.isLetter == true ? "closer-keys \(now)" : now
    }
}
