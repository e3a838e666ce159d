import CloserWire
import Foundation
import Testing

/// `photo` has three segments. Alice and Bob have their key by an invite, and Mallory is another couple of the same name.
@Suite("A couple's files")
struct CoupleFileTests {
    private let scene: CoupleScene

    init() async throws {
        scene = try await CoupleScene()
        try scene.lines("head -c 2500000 /dev/urandom > photo")
    }

    /// Makes `old`, sealed before Alice's rekey, and lets both partners have the new key.
    private func rekey() throws {
        try scene.lines(
            """
            verify() { couple verify $1 --partner $2 --partner-key "$(cat $3.pub)" "${@:4}"; }
            closer-keys file seal --vault a.db -o old photo
            verify a bob b --digits "$(verify a bob b)"; verify b alice a --digits "$(verify b alice a)"
            couple rekey a --phrase-file new.txt -o rekey-ab.json
            couple rekey b --accept --phrase-file new-b.txt rekey-ab.json
            """)
    }

    @Test("one partner's photo opens for the other, to a file and to a pipe, and says which key it is under")
    func partners() throws {
        let sealed = try scene.run("closer-keys file seal --vault a.db photo -o sealed --json")
        try #require(sealed.exit == 0, "\(sealed.errors)")
        let keyID = try JSONValue(parsing: sealed.output.dropLast())["keyId"]?.number
        let counts = #""origin":"invite","bytesIn":2500000,"bytesOut":2500088,"output":"sealed"}"#
        #expect(try sealed.text == "{\"keyId\":\(Int(#require(keyID))),\(counts)\n")
        let opened = try scene.lines(
            """
            closer-keys file open --vault b.db sealed | cmp - photo
            closer-keys file open --couple couple_1 --vault b.db -o again --json < sealed; cmp photo again
            """)
        let back = counts.replacing(
            "00,\"bytesOut\":2500088,\"output\":\"sealed", with: "88,\"bytesOut\":2500000,\"output\":\"again")
        #expect(try opened == ["{\"keyId\":\(Int(#require(keyID))),\(back)"])
    }

    @Test("a file opens neither for another couple, nor with other associated data, nor changed or cut")
    func others() throws {
        try scene.lines(
            """
            closer-keys file seal --vault a.db --associated-data beach -o sealed photo
            head -c 1048576 sealed > cut; (cat sealed; echo) > longer
            """)
        for command in [
            "--vault m.db --associated-data beach sealed", "--vault b.db sealed",
            "--vault b.db --associated-data beach cut", "--vault b.db --associated-data beach longer",
        ] {
            let run = try scene.run("closer-keys file open \(command) -o out")
            #expect(run.exit == 3 && run.errors.contains("error: it does not open: "), "\(run.errors)")
            #expect(try !scene.program.files().contains("out"))
        }
        let none = try scene.run("closer-keys file open --vault c.db --couple couple_1 sealed -o out")
        #expect(none.exit == 4)
        #expect(
            try scene.run("CLOSER_KEYS_COUPLE=couple_9 closer-keys file open --vault b.db sealed -o out").exit
                == 4)
    }

    @Test("a keyset file and a couple do not open each other's files")
    func keysets() throws {
        try scene.lines(
            """
            closer-keys keyset new --type aes256-gcm-hkdf-1mb -o k
            closer-keys file seal --keyset-file k -o alone photo; closer-keys file seal --vault a.db -o sealed photo
            CLOSER_KEYS_COUPLE=couple_1 closer-keys file open --keyset-file k alone | cmp - photo
            """)
        #expect(try scene.run("closer-keys file open --vault a.db alone -o out").exit == 3)
        #expect(try scene.run("closer-keys file open --keyset-file k sealed -o out").exit == 3)
    }

    @Test("a key that the server may hold is told once, and refused where a rekeyed one is required")
    func serverKnown() throws {
        let sealed = try scene.run("closer-keys file seal --vault a.db -o sealed photo")
        #expect(sealed.exit == 0)
        #expect(
            sealed.errors.hasPrefix("closer-keys: the server may hold the key of couple_1, and read this: "))
        #expect(sealed.errors.split(separator: "\n").count == 1)
        #expect(try scene.run("closer-keys file seal --quiet --vault a.db -o quiet photo").errors == "")
        for command in ["seal --vault a.db photo", "open --vault b.db sealed"] {
            let run = try scene.run("closer-keys file \(command) --require-rekeyed --json -o out")
            #expect(run.exit == 8)
            let error = try JSONValue(parsing: run.output.dropLast())["error"]
            #expect(error?["code"]?.string == "serverKnown")
            #expect(run.errors.contains("error: this is under a key that came by an invite or a recovery"))
            #expect(try !scene.program.files().contains("out"))
        }
        let piped = try scene.run("closer-keys file open --vault b.db --require-rekeyed sealed")
        #expect(piped.exit == 8 && piped.output.isEmpty)
    }

    @Test(
        "after a rekey new files meet the requirement, and an older one opens with a note, and without the requirement only"
    )
    func rekeyed() throws {
        try rekey()
        let sealed = try scene.run("closer-keys file seal --require-rekeyed --vault a.db -o new photo")
        #expect((sealed.exit, sealed.errors) == (0, ""))
        let opened = try scene.run("closer-keys file open --require-rekeyed --vault b.db new | cmp - photo")
        #expect((opened.exit, opened.errors) == (0, ""))
        let old = try scene.run(
            "closer-keys file open --vault b.db old -o old-photo --json; cmp photo old-photo")
        #expect(old.exit == 0 && old.text.contains(#""origin":"invite""#))
        #expect(
            old.errors.hasPrefix(
                "closer-keys: the server may hold this file's key, and have written it"))
        #expect(try scene.run("closer-keys file open --require-rekeyed --vault b.db old").exit == 8)
    }
}
