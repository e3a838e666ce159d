import CloserWire
import Foundation
import TestSupport
import Testing

/// What `inspect` says of each file of ours, and what other commands say of a file that is not the one they want.
@Suite("What a file looks like")
struct FileKindTests {
    private let scene: CoupleScene

    init() async throws { scene = try await CoupleScene("kinds") }

    @Test(
        "inspect knows every file of ours, promises no more than it can know, and prints no secret",
        .proves("A secret is written only where it belongs"),
        arguments: [
            ("a.db", "vault or export", "claims to be one"),
            ("a.export", "vault or export", "claims to be one"),
            ("large.db", "vault or export", "claims to be one"),
            ("field.txt", "field", "claims to be one"), ("box.txt", "keybox", "claims to be one"),
            ("b.pub", "public key", "claims to be one"), ("e.keyset", "keyset", "claims to be one"),
            ("e.json", "keyset", "claims to be one"),
            ("invite.json", "invite", "looks like one"), ("couple.json", "couple document", "looks like one"),
            ("answer.json", "answer document", "looks like one"),
            ("release-key.json", "release", "looks like one"),
            ("rekey.json", "rekey", "looks like one"), ("device.json", "device document", "looks like one"),
            ("pair-offer.json", "pairing's offer", "looks like one"),
            ("pair-reply.json", "pairing's reply", "looks like one"),
            ("pair-grant.json", "pairing's grant", "looks like one"),
            ("fit.json", "FitLink message", "looks like one"),
            ("vectors.json", "file of vectors", "looks like one"),
            ("p.txt", "recovery phrase", "looks like one"), ("digits.txt", "safety number", "looks like one"),
            ("q.png", "PNG picture", "looks like one"), ("q.svg", "SVG picture", "looks like one"),
            ("fond.txt", "Fond field", "may be one"), ("x.key", "X25519 key", "may be one"),
            ("a.key", "key file", "may be one"),
        ])
    func inspect(_ file: String, _ kind: String, _ certainty: String) throws {
        let text = try scene.program("inspect \(file)")
        #expect(text.exit == 0, "\(text.errors)")
        #expect(text.text.hasPrefix("kind: \(kind)\ncertainty: \(certainty)\n"), "\(text.text)")
        let json = try scene.program("inspect \(file) --json")
        #expect(try JSONValue(parsing: json.output.dropLast())["kind"]?.string == kind)
        for secret in try secrets() {
            #expect(!text.text.contains(secret) && !json.text.contains(secret))
        }
    }

    /// The words of the phrase, the code of the invite, and the two secrets that are a line of base64.
    private func secrets() throws -> [String] {
        let invite = try JSONValue(parsing: scene.program.content("invite.json").dropLast())
        let phrase = String(decoding: try scene.program.content("p.txt"), as: UTF8.self)
        let key = String(decoding: try scene.program.content("x.key").dropLast(), as: UTF8.self)
        let box = try #require(invite["recoveryPhrase"]?.string)
        let code = try #require(invite["code"]?.string)
        return [String(phrase.dropLast()), code, key, box, "hunter2"]
    }

    @Test(
        "a vault's outer form is told, if it can be read",
        arguments: [("a.db", "keyFile"), ("a.export", "passphrase")])
    func protection(_ file: String, _ protection: String) throws {
        #expect(try scene.program("inspect \(file)").text.hasSuffix("protection: \(protection)\n"))
        let piped = try scene.run("closer-keys inspect - < \(file)")
        #expect(piped.text.hasPrefix("kind: vault or export\n"))
    }

    @Test(
        "what looks like nothing of ours is refused", arguments: [("zeros", 5), ("x.json", 5), ("large", 6)])
    func nothing(_ file: String, _ exit: Int32) throws {
        #expect(try scene.program("inspect \(file)").exit == exit)
    }

    @Test(
        "a file of another kind is called by its name",
        arguments: [
            ("field open --vault a.db --couple couple_1 box.txt", "a keybox, not a field token"),
            (
                "field open --vault a.db --couple couple_1 couple.json",
                "a couple's document, not a field token"
            ),
            ("field open --keyset-file field.txt --couple couple_1 field.txt", "a field token, not a keyset"),
            ("keybox open --vault b.db --context x field.txt", "a field token, not a keybox"),
            ("keybox seal --to-file couple.json --context x pw", "a couple's document, not a public key"),
            ("keyset list a.db", "a vault or export, not a keyset"),
            ("check --kind couple invite.json", "an invite, not a couple's document"),
            ("check --kind invite couple.json", "a couple's document, not an invite"),
            ("check --kind answer release-key.json", "a release, not an answer's document"),
            ("check --kind rekey release-key.json", "a release, not a rekey"),
            ("check --kind pair-offer pair-reply.json", "a pairing's reply, not a pairing's offer"),
            ("check --kind device pair-offer.json", "a pairing's offer, not a device's document"),
            ("couple join --vault c.db --couple couple_1 couple.json", "a couple's document, not an invite"),
            (
                "couple recover --vault c.db --couple couple_1 --phrase-file p.txt invite.json",
                "an invite, not a couple's document"
            ),
            (
                "couple recover --vault c.db --couple couple_1 --phrase-file pw --rehearse answer.json",
                "an answer's document, not a couple's document"
            ),
            ("phrase check --phrase-file couple.json", "a couple's document, not a recovery phrase"),
            (
                "couple verify --vault a.db --couple couple_1 --partner bob --scanned q.png",
                "a PNG picture, not a safety number"
            ),
            (
                "device import --vault n.db --key-file n.key --export-passphrase-file pw couple.json",
                "a couple's document, not a vault or export"
            ),
        ])
    func wrongKind(_ arguments: String, _ words: String) throws {
        let before = try scene.program.files()
        let run = try scene.program(arguments)
        #expect(run.exit == 5)
        #expect(run.errors.contains("closer-keys: error: this is \(words)\n"), "\(run.errors)")
        #expect(try scene.program.files() == before)
    }

    @Test(
        "so is what is named as the vault, and what is there already where one is to be made",
        arguments: [
            ("device show --vault e.keyset", "e.keyset is a keyset, not a vault"),
            ("couple list --vault couple.json", "couple.json is a couple's document, not a vault"),
            ("device init --user x --key-file n.key --vault b.pub", "b.pub is a public key, not a vault"),
            ("device show --vault a.key", "a.key is not a vault; it may be a key file"),
            ("device show --vault zeros", "zeros is not a vault"),
            ("device show --vault large", "large is not a vault"),
        ])
    func noVault(_ arguments: String, _ words: String) throws {
        let before = try scene.program.files()
        let run = try scene.program(arguments)
        #expect(
            (run.exit, run.errors) == (
                5, "closer-keys: error: \(words)\ncloser-keys: hint: name another file with --vault\n"
            ))
        #expect(try scene.program.files() == before)
    }

    @Test(
        "a keyset with keys of another type is told which type it holds",
        arguments: [
            ("field seal --keyset-file e.keyset --couple couple_1 pw", "aes256-gcm", "ecies-p256 private"),
            ("field seal --keyset-file f.keyset --couple couple_1 pw", "aes256-gcm", "aes256-gcm-hkdf"),
            ("file seal --keyset-file s.keyset -o made pw", "aes256-gcm-hkdf", "aes256-gcm"),
            ("keybox open --keyset-file s.keyset --context x box.txt", "ecies-p256 private", "aes256-gcm"),
            (
                "keybox open --keyset-file e.public --context x box.txt", "ecies-p256 private",
                "ecies-p256 public"
            ),
            ("keyset public s.keyset", "ecies-p256 private", "aes256-gcm"),
            ("keyset public s.keyset --format json", "ecies-p256 private", "aes256-gcm"),
            (
                "answer open --couple couple_1 --keyset-file e.json answer.json", "aes256-gcm",
                "ecies-p256 private"
            ),
            (
                "answer open --couple couple_1 --keyset-file s.keyset --couple-keyset-file f.keyset answer.json",
                "aes256-gcm", "aes256-gcm-hkdf"
            ),
            (
                "field seal --keyset-file mixed.json --couple couple_1 pw", "aes256-gcm",
                "aes256-gcm keys and ecies-p256 private"
            ),
        ])
    func wrongType(_ arguments: String, _ wanted: String, _ held: String) throws {
        let run = try scene.program(arguments)
        #expect(run.exit == 5)
        #expect(
            run.errors.contains(
                "closer-keys: error: this needs \(wanted) keys, and the keyset holds \(held) keys\n"),
            "\(run.errors)")
    }

    @Test("so is a public key in an option")
    func wrongKey() throws {
        let run = try scene.run(
            "couple verify a --partner bob --partner-key \"$(cat field.txt)\" || exit $?")
        #expect(run.exit == 5)
        #expect(run.errors.hasPrefix("closer-keys: error: this is a field token, not a public key\n"))
    }

    @Test("a document with members of another kind keeps the kind that it has, too")
    func twoKinds() throws {
        try scene.lines("jq -c '.encryptedAnswerKey = 1' answer.json > both.json")
        #expect(try scene.program("check --kind answer both.json").text == "ok\n")
    }
}
