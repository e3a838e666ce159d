/// Names of commands elsewhere and in earlier releases, and our command for each.
enum CommandSynonyms {
    /// What the commands of 0.1 are called now.
    static let former = [
        "couple invite": "pair invite", "couple accept": "pair accept", "couple confirm": "pair confirm",
        "couple finish": "pair finish", "pair key": "x25519 new or x25519 public",
        "pair agree": "x25519 agree", "pair safety-number": "x25519 safety-number",
    ]

    /// What other programs call it, and people who come from them.
    static let others = [
        "init": "device init", "unlock": "device unlock", "lock": "device lock", "seal": "field seal",
        "open": "field open", "encrypt": "field seal", "decrypt": "field open", "recover": "couple recover",
        "verify": "couple verify", "backup": "device export", "export": "device export",
        "restore": "device import", "import": "device import", "passwd": "device passphrase",
        "invite": "pair invite", "join": "pair accept", "list": "couple list",
        "device new": "device init", "device create": "device init", "device password": "device passphrase",
        "device passwd": "device passphrase", "device backup": "device export",
        "device restore": "device import", "device status": "device show",
        "couple new": "pair invite", "couple pair": "pair invite", "couple delete": "couple forget",
        "couple remove": "couple forget", "couple rotate": "couple rekey",
        "couple phrase": "couple rewrap", "couple safety-number": "couple verify",
        "pair new": "pair invite", "pair create": "pair invite", "pair join": "pair accept",
        "pair verify": "couple verify",
        "field encrypt": "field seal", "field decrypt": "field open",
        "file encrypt": "file seal", "file decrypt": "file open",
        "answer encrypt": "answer seal", "answer decrypt": "answer open", "answer show": "answer status",
        "keyset create": "keyset new", "keyset generate": "keyset new",
        "keyset show": "keyset list", "x25519 show": "x25519 public", "x25519 key": "x25519 new",
    ]
}
