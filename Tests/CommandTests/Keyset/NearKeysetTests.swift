import CloserWire
import Foundation
import Testing

/// What Tink or a script makes of a keyset, and closer-keys does not read: it says what it is, and what to type.
@Suite("What is almost a keyset")
struct NearKeysetTests {
    private let program: ClosingProgram

    /// Both made by Tink for Python 1.14 of one keyset, under an AES-GCM key.
    private static let encryptedJSON = """
        {"encryptedKeyset":"AQoLDA27NWzrX3yiwKNrS05zeSLAG61lDPVS59BSvMbHF0ZWDz1AhPW/Ma75vG84Rc96Q8RfhPPmOKxS1AmLMIMD/NlA\
        +UhxUCTtJRoG/Z/XSKenWR/wXdfFU5iUlTWdT893yi7fEa6U5lMJDUHjWNxU0KZG9oFqctxD0cw52PBTNqAQdJLCuMcUDQ==",
        "keysetInfo":{"primaryKeyId":168496141,"keyInfo":[{"typeUrl":"type.googleapis.com/google.crypto.tink.AesGcmKey",
        "status":"ENABLED","keyId":168496141,"outputPrefixType":"TINK"}]}}
        """
    private static let encryptedHex = """
        128b01010a0b0c0d6cf79467c5bee5cfd11602f0f39e6ce7945250319cf8be1ddef49fc680222a6229fc8d8f11e9f3964f3088fb3d682446\
        189fa579b0413ed4b4ace5ab891e5b16ccfe2a6a429bd7584f459288532b62c314da0ce97f81f95ec7121775a14dbdb6f5f4751c0b2c7905\
        46efc62325557c26a902eabe6a18bac8fa301b86baa1239017032f2ced83
        """

    init() throws {
        program = try ClosingProgram()
        try program.write(Data(Self.encryptedJSON.utf8), to: "e.json")
        try program.write(Data(Self.encryptedHex.utf8), to: "e.hex")
        try program.write(Data(try Hex.decode(Self.encryptedHex)), to: "e")
        let run = try program.script(
            """
            { cat e; echo; } > e.line
            closer-keys keyset new --type aes256-gcm -o k
            closer-keys keyset convert k --format json -o k.json
            base64 -w 0 k > k.base64; base64 k.json > lines.base64; base64 e > e.base64
            od -An -v -tx1 k | tr -d ' \\n' > k.hex; tr a-f A-F < k.hex > upper.hex
            { cat k; echo; } > line; { cat k; printf '\\r\\n'; } > crlf
            echo text | closer-keys field seal --keyset-file k --couple c > token
            chmod 600 *
            """)
        try #require(run.exit == 0, "\(run.errors)")
    }

    @Test(
        "an encrypted keyset is called so by every command that reads one, with the command that decrypts it",
        arguments: [
            "keyset list FILE", "keyset rotate FILE --in-place", "keyset public FILE",
            "keyset convert FILE --format json -o new", "field open --keyset-file FILE --couple c token",
            "file seal --keyset-file FILE -o new token", "keybox open --keyset-file FILE --context x token",
            "keybox seal --to-file FILE --context x token",
            "answer open --keyset-file k --couple-keyset-file FILE --couple c token",
        ])
    func encrypted(_ arguments: String) throws {
        for file in ["e", "e.json"] {
            let (before, files) = (try program.content(file), try program.files())
            let run = try program(arguments.replacing("FILE", with: file))
            #expect(run.exit == 5)
            #expect(
                run.errors == """
                    closer-keys: error: this keyset is encrypted
                    closer-keys: hint: decrypt it first: tinkey convert-keyset --in FILE --out NEW --master-key-uri URI

                    """)
            #expect(try program.content(file) == before)
            #expect(try program.files() == files)
        }
    }

    @Test(
        "inspect knows it, and a keyset in base64 or in hex, and says what to do",
        arguments: [
            ("e", "encrypted keyset", "decrypt it first: tinkey convert-keyset"),
            ("e.json", "encrypted keyset", "decrypt it first: tinkey convert-keyset"),
            ("k.base64", "base64 of a keyset", "decode it first: base64 -d FILE > NEW"),
            ("lines.base64", "base64 of a keyset", "decode it first: base64 -d FILE > NEW"),
            ("e.base64", "base64 of a keyset", "decode it first: base64 -d FILE > NEW"),
            ("k.hex", "hex of a keyset", "decode it first: xxd -r -p FILE > NEW"),
            ("upper.hex", "hex of a keyset", "decode it first: xxd -r -p FILE > NEW"),
            ("e.hex", "hex of a keyset", "decode it first: xxd -r -p FILE > NEW"),
        ])
    func inspect(_ file: String, _ kind: String, _ next: String) throws {
        let run = try program("inspect \(file)")
        #expect(run.exit == 0, "\(run.errors)")
        #expect(run.text.hasPrefix("kind: \(kind)\ncertainty: looks like one\nbytes: "), "\(run.text)")
        #expect(run.text.contains("\nnext: \(next)"), "\(run.text)")
    }

    @Test(
        "where a keyset is wanted, its base64 and its hex are named",
        arguments: [
            ("k.base64", "base64", "base64 -d"), ("lines.base64", "base64", "base64 -d"),
            ("k.hex", "hex", "xxd -r -p"),
        ])
    func encoded(_ file: String, _ encoding: String, _ command: String) throws {
        let run = try program("keyset list \(file)")
        #expect(run.exit == 5)
        #expect(
            run.errors == """
                closer-keys: error: this is \(encoding) of a keyset, not a keyset
                closer-keys: hint: decode it first: \(command) FILE > NEW

                """)
    }

    @Test("where something else is wanted, an encrypted keyset has that name")
    func insteadOfToken() throws {
        let run = try program("field open --keyset-file k --couple c e.json")
        #expect(run.exit == 5)
        #expect(
            run.errors.hasPrefix("closer-keys: error: this is an encrypted keyset, not a field token\n"),
            "\(run.errors)")
    }

    @Test(
        "a line break behind a binary keyset is named, and the hint removes it",
        arguments: [("line", 1), ("crlf", 2), ("e.line", 1)], ["keyset list", "inspect"])
    func lineBreak(_ file: (String, Int), _ command: String) throws {
        let run = try program("\(command) \(file.0)")
        #expect(run.exit == 5)
        #expect(
            run.errors == """
                closer-keys: error: this keyset has a line break behind it
                closer-keys: hint: remove it: head -c -\(file.1) FILE > NEW

                """)
        let mended = try program.script(
            "head -c -\(file.1) \(file.0) | cmp - \(file.0 == "e.line" ? "e" : "k")")
        #expect(mended.exit == 0)
    }

    @Test(
        "a member of a JSON keyset that Tink takes and closer-keys does not is named",
        arguments: [
            ("s/(keyId\":)([0-9]+)/\\1\"\\2\"/", "key[0].keyId is a text, not a number"),
            ("s/(primaryKeyId\":)([0-9]+)/\\1\"\\2\"/", "primaryKeyId is a text, not a number"),
            ("s/\"ENABLED\"/1/", "key[0].status is a number, not one of ENABLED, DISABLED, DESTROYED"),
            ("s/\"ENABLED\"/\"enabled\"/", "key[0].status is not one of ENABLED, DISABLED, DESTROYED"),
            ("s/,\"keyMaterialType\":\"SYMMETRIC\"//", "key[0].keyData.keyMaterialType is missing"),
            ("s/==\"/\"/", "key[0].keyData.value lacks its base64 padding"),
            ("s/(value\":\"....)./\\1_/", "key[0].keyData.value is base64url instead of standard base64"),
            ("s/primaryKeyId/primary_key_id/", "primary_key_id must be spelled primaryKeyId"),
        ])
    func member(_ edit: String, _ message: String) throws {
        let run = try program.script("sed -E '\(edit)' k.json > near.json; chmod 600 near.json")
        try #require(run.exit == 0, "\(run.errors)")
        for command in [
            "keyset list near.json", "inspect near.json", "file seal --keyset-file near.json token",
        ] {
            let run = try program(command)
            #expect(run.exit == 5)
            #expect(
                run.errors == """
                    closer-keys: error: \(message)
                    closer-keys: hint: correct it, or let Tink write the keyset again: man closer-keys-keyset shows how

                    """)
        }
    }
}
