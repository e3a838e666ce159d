/// The end of each command's help: one line to begin with, and where the rest is explained.
enum CommandExample {
    /// What stands below the options of a command. A noun with verbs has no line of its own.
    static func text(for path: [String]) -> String {
        let words = path.dropFirst().filter { $0 != "help" }
        let page = words.first.flatMap { withoutPage.contains($0) ? nil : "\(path[0])-\($0)" } ?? path[0]
        let line = lines[words.joined(separator: " ")].map { "EXAMPLE:\n  \(path[0]) \($0)\n\n" } ?? ""
        return "\(line)MANUAL:\n  man \(page)"
    }

    /// The commands that the program's own page explains.
    private static let withoutPage = ["doctor", "self-test", "exit-codes", "version", "completions"]

    private static let lines = [
        "device init": "device init --user alice --key-file ~/alice.key",
        "device show": "device show --json",
        "device passphrase": "device passphrase --new-key-file ~/new.key",
        "device unlock": "device unlock --for 2h",
        "device lock": "device lock",
        "device export": "device export -o alice.export",
        "device import": "device import --key-file ~/alice.key alice.export",
        "device check": "device check alice.export",
        "device list": "device list",
        "device forget": "device forget 0f8e6a5b4c3d2e1f0f8e6a5b4c3d2e1f",
        "device destroy": "device destroy --vault old.db --yes",
        "device policy": "device policy --require-paired",
        "device accept-older": "device accept-older --vault restored.db",
        "pair invite": "pair invite --couple couple_1 -o offer.json",
        "pair accept": "pair accept --partner alice offer.json -o reply.json",
        "pair confirm": "pair confirm --partner bob reply.json -o grant.json",
        "pair finish": "pair finish grant.json",
        "couple create": "couple create --couple couple_1 -o invite.json",
        "couple join": "couple join --couple couple_1 invite.json",
        "couple recover": "couple recover --couple couple_1 couple.json",
        "couple status": "couple status",
        "couple show": "couple show --document -o couple.json",
        "couple list": "couple list",
        "couple rewrap": "couple rewrap -o couple.json",
        "couple verify": "couple verify --qr",
        "couple rekey": "couple rekey --couple-out couple.json -o rekey.json",
        "couple retire": "couple retire --couple couple_1 --key-id 171598558 --yes",
        "couple forget": "couple forget --couple couple_1 --yes",
        "couple migrate start": "couple migrate start --couple couple_1 -o couple.json",
        "couple migrate finish": "couple migrate finish stored.json -o couple.json",
        "couple migrate show": "couple migrate show",
        "phrase check": "phrase check --phrase-file phrase.txt",
        "answer seal":
            "answer seal --question q_42 --place daily:2026-11-20 mine.json -o alice.json",
        "answer release":
            "answer release bob.json -o for-bob.json",
        "answer reveal":
            "answer reveal bob.json --release for-alice.json",
        "answer open": "answer open --couple couple_1 --keyset-file one-time.keyset bob.json",
        "answer verify": "answer verify --answer bob.json revealed.json",
        "answer status": "answer status --question q_42",
        "answer list": "answer list",
        "answer canonical": "answer canonical mine.json",
        "field seal": "field seal --place users/alice/note note.txt -o token.txt",
        "field open": "field open --place users/alice/note token.txt",
        "keybox seal": "keybox seal --to \"$BOB\" --context 'couple_1|q_42|alice|bob' key.bin -o box.txt",
        "keybox open":
            "keybox open --keyset-file bob.keyset --context 'couple_1|q_42|alice|bob' box.txt -o key.bin",
        "keyset new": "keyset new --type aes256-gcm -o couple.keyset",
        "keyset public": "keyset public bob.keyset",
        "keyset list": "keyset list couple.keyset",
        "keyset rotate": "keyset rotate --in-place couple.keyset",
        "keyset add": "keyset add couple.keyset -o two-keys.keyset",
        "keyset promote": "keyset promote couple.keyset --key-id 171598558 -o new.keyset",
        "keyset disable": "keyset disable couple.keyset --key-id 171598558 -o new.keyset",
        "keyset enable": "keyset enable couple.keyset --key-id 171598558 -o new.keyset",
        "keyset remove": "keyset remove couple.keyset --key-id 171598558 -o new.keyset",
        "keyset convert": "keyset convert couple.keyset --format json -o couple.json",
        "x25519 new": "x25519 new -o alice.x25519",
        "x25519 public": "x25519 public --private-key-file alice.x25519",
        "x25519 agree": "x25519 agree --private-key-file alice.x25519 --peer-key \"$BOB\" -o shared.key",
        "x25519 safety-number":
            "x25519 safety-number --private-key-file alice.x25519 --ours-user alice --theirs-user bob --peer-key \"$BOB\"",
        "chat seal":
            "chat seal --profile fitlink --chat alice_bob --private-key-file alice.x25519 --peer-key \"$BOB\" note.txt",
        "chat open":
            "chat open --profile fitlink --chat alice_bob --private-key-file alice.x25519 --peer-key \"$BOB\" message.json",
        "file seal": "file seal photo.jpg -o photo.sealed",
        "file open": "file open photo.sealed -o photo.jpg",
        "inspect": "inspect token.txt",
        "check": "check --kind couple --as bob --previous old.json couple.json",
        "vectors list": "vectors list",
        "vectors verify": "vectors verify field.json",
        "vectors run": "vectors run field.json -- node adapter.mjs",
        "vectors live": "vectors live field.open field.seal -- node adapter.mjs",
        "vectors export": "vectors export field.json -o field.json",
        "doctor": "doctor --strict",
        "self-test": "self-test",
        "exit-codes": "exit-codes --json",
        "version": "version",
        "completions": "completions bash",
    ]
}
