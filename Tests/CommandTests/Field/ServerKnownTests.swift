import Foundation
import Testing

/// Before something is sealed that the server may be able to read, one note says so.
@Suite("A key that the server may hold")
struct ServerKnownTests {
    private let scene: CoupleScene
    private let note = "closer-keys: the server may hold the key of couple_1, and read this: "
    private let chatNote = "closer-keys: no pairing has brought this peer key: "

    init() throws { scene = try CoupleScene() }

    @Test(
        "of a couple that began with an invite is told once when a field is sealed, and not when one is opened"
    )
    func field() throws {
        let seal = "closer-keys field seal --vault a.db --couple couple_1"
        let one = try scene.run("echo hello | \(seal) -o token")
        #expect(one.exit == 0 && one.errors.hasPrefix(note), "\(one.errors)")
        #expect(one.errors.split(separator: "\n").count == 1)
        let many = try scene.run(
            "jq -nc '{plaintext: \"a\"}, {plaintext: \"b\"}' | \(seal) --jsonl -o tokens")
        #expect(many.exit == 0 && many.errors.hasPrefix(note), "\(many.errors)")
        #expect(many.errors.split(separator: "\n").count == 1)
        for quiet in [
            "echo hello | \(seal) --quiet", "closer-keys field open --vault a.db --couple couple_1 token",
            "closer-keys keyset new --type aes256-gcm -o k; echo x | closer-keys field seal --keyset-file k --couple c",
        ] {
            let run = try scene.run(quiet)
            #expect((run.exit, run.errors) == (0, ""))
        }
    }

    @Test("is no key of a couple that paired")
    func paired() throws {
        let run = try scene.run(
            """
            exec 3>&2 2> setup
            closer-keys pair invite --vault c.db --couple couple_2 --phrase-file p2.txt --code-file code > offer.json
            closer-keys pair accept --vault b.db --partner alice --code-file code offer.json > reply.json
            closer-keys pair confirm --vault c.db --partner bob --couple couple_2 reply.json > grant.json
            closer-keys device show --vault b.db --json | jq -r .x25519PublicKey > b.x25519
            exec 2>&3
            echo hello | closer-keys field seal --vault c.db --couple couple_2 -o token
            echo hello | closer-keys chat seal --profile fond --vault c.db --peer-key "$(cat b.x25519)" -o chat
            """)
        #expect((run.exit, run.errors) == (0, ""))
    }

    @Test(
        "of a chat is told once, if the vault has a couple that the server may know and no pairing named the peer's"
    )
    func chat() throws {
        try scene.lines(
            "closer-keys x25519 new -o x; closer-keys device show --vault b.db --json | jq -r .x25519PublicKey > b.x25519"
        )
        for profile in ["fond", "fitlink --chat alice_bob"] {
            let seal = "closer-keys chat seal --profile \(profile) --peer-key $(cat b.x25519)"
            let run = try scene.run("echo '{\"plaintext\":\"a\"}' | \(seal) --vault a.db --jsonl")
            #expect(run.exit == 0 && run.errors.hasPrefix(chatNote), "\(run.errors)")
            #expect(run.errors.split(separator: "\n").count == 1)
            for quiet in ["--vault a.db --quiet", "--private-key-file x", "--vault c.db"] {
                let run = try scene.run("echo hello | \(seal) \(quiet)")
                #expect((run.exit, run.errors) == (0, ""), "\(quiet)")
            }
        }
    }
}
