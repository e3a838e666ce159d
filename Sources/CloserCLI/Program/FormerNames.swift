/// What people type that is called otherwise: by an earlier release, or by another program.
enum FormerNames {
    /// A former verb, or an option with its dashes, and what to type now: an option, or the line behind the program's name.
    private static let former = [
        "couple invite": "pair invite", "couple accept": "pair accept", "couple confirm": "pair confirm",
        "couple finish": "pair finish", "pair key": "x25519 new", "pair agree": "x25519 agree",
        "pair safety-number": "x25519 safety-number",
        "couple list": "couple status", "couple migrate start": "couple migrate",
        "couple migrate finish": "couple migrate --finish DOCUMENT", "couple migrate show": "couple show",
        "answer list": "answer status", "answer canonical": "RFC 8785, in a library for JSON",
        "phrase": "couple rehearse --words-only", "device check": "doctor FILE",
        "keyset promote": "keyset set primary", "keyset enable": "keyset set enabled",
        "keyset disable": "keyset set disabled", "keyset remove": "keyset set removed",
        "vectors list": "vectors export", "exit-codes": "man closer-keys",
        "--rehearse": "couple rehearse", "--require-rekeyed": "--require-private",
        "--new-key": "--partner-has-new-key", "--new-code": "--code-is-newer", "--to-file": "--to FILE",
        "--qr-svg": "--qr-file FILE.svg", "--qr-png": "--qr-file FILE.png", "--ours-user": "--user",
        "--theirs-user": "--partner", "--hours": "--for 24h",
        "--release-key": "--release", "--partner-answer": "answer reveal FILE",
        "--accept-older": "device accept-older", "--passphrase-fd": "--passphrase-file /dev/fd/3",
        "--new-passphrase-fd": "--new-passphrase-file /dev/fd/3",
        "--export-passphrase-fd": "--export-passphrase-file /dev/fd/3",
        "--phrase-fd": "--phrase-file /dev/fd/3", "--code-fd": "--code-file /dev/fd/3",
        "--generate-completion-script": "completions bash", "-o": "> FILE", "--output": "> FILE",
    ]

    /// What other programs call a verb.
    private static let foreign = [
        "init": "device init", "device new": "device init", "device create": "device init",
        "backup": "device export", "device backup": "device export", "restore": "device import",
        "device restore": "device import", "couple new": "pair invite", "invite": "pair invite",
        "join": "pair accept", "pair join": "pair accept", "list": "couple status",
        "couple rotate": "couple rekey", "encrypt": "field seal", "field encrypt": "field seal",
        "decrypt": "field open", "field decrypt": "field open", "file encrypt": "file seal",
        "file decrypt": "file open", "keyset create": "keyset new", "keyset generate": "keyset new",
        "seal": "field seal", "open": "field open", "keygen": "keyset new", "rotate": "keyset rotate",
        "export": "device export", "import": "device import", "recover": "couple recover",
        "status": "couple status", "show": "couple show", "keyset show": "keyset list",
        "keyset delete": "keyset set removed", "keyset rm": "keyset set removed",
        "couple delete": "couple forget", "--passphrase": "--passphrase-file FILE",
        "--password": "--passphrase-file FILE", "--pass": "--passphrase-file FILE",
        "--aad": "--associated-data TEXT",
    ]

    /// The hint for words behind the program's name, or for an option with its dashes.
    static func hint(_ typed: String) -> String? {
        former[typed].map { "now it is \(line($0))" } ?? foreign[typed].map(line)
    }

    private static func line(_ now: String) -> String {
        now.first?.isLowercase == true && !now.hasPrefix("man ") ? "closer-keys \(now)" : now
    }
}
