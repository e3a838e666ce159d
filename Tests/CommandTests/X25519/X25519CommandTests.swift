import CloserWire
import Foundation
import TestSupport
import Testing

@Suite("x25519: keys, agreement, safety numbers")
struct X25519CommandTests {
    private let program: ClosingProgram
    private let alice = TestData.golden.text("chat.alicePublic")
    private let bob = TestData.golden.text("chat.bobPublic")

    init() throws {
        program = try ClosingProgram()
        for name in ["alice", "bob"] {
            let key = Base64.standard.encode(TestData.golden.hex("chat.\(name)PrivateHex"))
            try program.write(Data("\(key)\n".utf8), to: "\(name).x25519")
        }
    }

    // MARK: - Keys

    @Test("the golden public key comes from its private one, with any white space around it")
    func publicKey() throws {
        let run = try program("x25519 public --private-key-file alice.x25519")
        #expect((run.exit, run.text, run.errors) == (0, "\(alice)\n", ""))
        let secret = try program.content("alice.x25519")
        let piped = try program(
            "x25519 public --private-key-file -", input: " \(String(decoding: secret, as: UTF8.self))\r\n")
        #expect(piped.text == "\(alice)\n")
        let json = try program("x25519 public --private-key-file alice.x25519 --json")
        #expect(json.text == "{\"publicKey\":\"\(alice)\"}\n")
    }

    @Test("a new key is one line for its owner alone, and another each time")
    func newKey() throws {
        let run = try program("x25519 new -o new --json")
        let json = try JSONValue(parsing: run.output.dropLast())
        #expect((run.exit, json["output"]?.string) == (0, "new"))
        let content = try program.content("new")
        #expect(content.count == 45 && content.last == UInt8(ascii: "\n"))
        #expect(!run.text.contains(String(decoding: content.dropLast(), as: UTF8.self)))
        #expect(
            try program("x25519 public --private-key-file new").text == "\(json["publicKey"]?.string ?? "")\n"
        )
        #expect(try program.script("stat -c %a new").text == "600\n")
        #expect(try program("x25519 new -o new").exit == 7)
        #expect(try program("x25519 new").output != content)
    }

    @Test("a vault has a key of its own, and knows whose it is")
    func vault() throws {
        try #require(try program("device init --vault v.db --user alice --key-file v.key").exit == 0)
        let shown = try program("device show --vault v.db --json")
        let key = try JSONValue(parsing: shown.output.dropLast())["x25519PublicKey"]?.string
        #expect(try program("x25519 public --vault v.db").text == "\(key ?? "")\n")
        let ours = try program("x25519 safety-number --vault v.db --theirs-user bob --peer-key \(bob)")
        let theirs = try program(
            "x25519 safety-number --private-key-file bob.x25519 --ours-user bob --theirs-user alice --peer-key \(key ?? "")"
        )
        #expect(ours.text == theirs.text && ours.exit == 0)
        let other = try program(
            "x25519 safety-number --vault v.db --ours-user al --theirs-user bob --peer-key \(bob)")
        #expect(other.exit == 0 && other.text != ours.text)
    }

    @Test("both sides derive the golden key, as text and as bytes")
    func agree() throws {
        let key = TestData.golden.hex("chat.fitlink.keyHex")
        let run = try program(
            "x25519 agree --private-key-file alice.x25519 --peer-key \(bob) --salt alice_bob --info FitLinkChat"
        )
        #expect((run.exit, run.text) == (0, "\(Base64.standard.encode(key))\n"))
        let salt = Hex.encode(Array("alice_bob".utf8))
        let binary = try program(
            "x25519 agree --private-key-file bob.x25519 --peer-key \(alice) --salt-hex \(salt) --info FitLinkChat --format binary"
        )
        #expect((binary.exit, binary.output) == (0, Data(key)))
        let other = try program("x25519 agree --private-key-file alice.x25519 --peer-key \(bob)")
        #expect(other.exit == 0 && other.text != run.text)
    }

    @Test(
        "a terminal and JSON get no private key and no derived one",
        .enabled(if: FileManager.default.fileExists(atPath: "/usr/bin/script")))
    func secrets() throws {
        let run = try program.script(
            """
            set +e
            on_terminal() { script -qec "$1; echo exit \\$?" /dev/null < /dev/null; }
            on_terminal 'closer-keys x25519 new'
            on_terminal 'closer-keys x25519 agree --private-key-file alice.x25519 --peer-key \(bob)'
            on_terminal 'closer-keys x25519 agree --private-key-file alice.x25519 --peer-key \(bob) --format binary'
            on_terminal 'closer-keys x25519 public --private-key-file alice.x25519'
            """)
        let exits = run.text.split(whereSeparator: \.isNewline).compactMap { line in
            line.range(of: "exit ").map { line[$0.upperBound...] }
        }
        #expect(exits == ["7", "7", "7", "0"], "\(run.text)")
        #expect(try program("x25519 new --json").exit == 7)
        #expect(
            try program("x25519 agree --private-key-file alice.x25519 --peer-key \(bob) --json").exit == 7)
    }

    // MARK: - Safety numbers

    @Test("the golden digits, from both sides")
    func digits() throws {
        let run = try program("\(number)")
        let grouped = "22209 87758 40627 00343 39904 61327 23229 50156 76829 86216 64907 96460"
        #expect((run.exit, run.text, run.errors) == (0, "\(grouped)\n", ""))
        let theirs = try program(
            "x25519 safety-number --private-key-file bob.x25519 --ours-user bob --theirs-user alice --peer-key \(alice) --json"
        )
        #expect(theirs.text == "{\"safetyNumber\":\"\(grouped)\"}\n")
        let compared = try program.run(
            number.split(separator: " ").map(String.init) + ["--digits", grouped], input: Data())
        #expect((compared.exit, compared.text) == (0, "verified\n"))
        let hyphens = try program("\(number) --digits \(grouped.replacing(" ", with: "-"))")
        #expect((hyphens.exit, hyphens.text) == (0, "verified\n"))
        let plain = try program("\(number) --json --digits \(grouped.replacing(" ", with: ""))")
        #expect(plain.text == "{\"verified\":true,\"safetyNumber\":\"\(grouped)\"}\n")
    }

    @Test("other digits are 1, a slip is 5, and a scan of another version is no mismatch")
    func mismatch() throws {
        let digits = TestData.golden.text("safetyNumber.x25519Pair.digits")
        let name = Array("closer-keys/sn/1".utf8)
        let scans: [(String, [UInt8])] = [
            ("same", [UInt8](lengthPrefixed: [name, Array(digits.utf8)])),
            ("newline", [UInt8](lengthPrefixed: [name, Array(digits.utf8)]) + [0x0A]),
            ("newlines", [UInt8](lengthPrefixed: [name, Array(digits.utf8)]) + [0x0A, 0x0A]),
            ("other", [UInt8](lengthPrefixed: [name, Array(digits.dropLast().utf8) + [0x31]])),
            ("version", [UInt8](lengthPrefixed: [Array("closer-keys/sn/2".utf8), [1, 2, 3]])),
        ]
        for (name, bytes) in scans { try program.write(Data(bytes), to: name) }
        for (arguments, exit, code) in [
            ("--digits \(digits.dropLast())1", 1, "safetyNumberMismatch"),
            ("--digits \(digits.dropLast())", 5, "malformed"), ("--digits \(digits)0", 5, "malformed"),
            ("--digits x", 5, "malformed"), ("--scanned other", 1, "safetyNumberMismatch"),
            ("--scanned version", 5, "unsupportedVersion"), ("--scanned alice.x25519", 5, "malformed"),
            ("--scanned missing", 66, "noInput"), ("--scanned same", 0, ""),
            ("--scanned newline", 0, ""), ("--scanned newlines", 5, "malformed"),
        ] as [(String, Int32, String)] {
            let run = try program("\(number) \(arguments) --json")
            #expect(run.exit == exit, "\(arguments)")
            let error = try JSONValue(parsing: run.output.dropLast())["error"]
            #expect(error?["code"]?.string ?? "" == code, "\(arguments)")
        }
        let bobby = number.replacing("--theirs-user bob", with: "--theirs-user bobby")
        #expect(try program("\(bobby) --scanned same").exit == 1)
        #expect(try program("\(number) --scanned version").errors.contains("says nothing of the keys"))
    }

    @Test("text, SVG and PNG show one code, and Python's zlib reads the PNG")
    func pictures() throws {
        let run = try program("\(number) --qr --qr-svg code.svg --qr-png code.png")
        let lines = run.text.split(separator: "\n")
        #expect((run.exit, lines.count) == (0, 24))
        #expect(try lines.last.map(String.init) == program(number).text.dropLast().description)
        let rows = lines.dropLast().flatMap { line in
            [line.map { " ▄".contains($0) ? "#" : "." }, line.map { " ▀".contains($0) ? "#" : "." }]
        }
        let text = rows.prefix(45).map { $0.joined() }
        #expect(rows[45].allSatisfy { $0 == "#" })
        let svg = try program.script("python3 - code.svg <<'EOF'\n\(Self.readSVG)\nEOF")
        #expect(svg.text.split(separator: "\n").map(String.init) == text, "\(svg.errors)")
        let png = try program.script("python3 - code.png <<'EOF'\n\(Self.readPNG)\nEOF")
        #expect(png.text.split(separator: "\n").map(String.init) == text, "\(png.errors)")
    }

    @Test("on a terminal each line of a code says its own colours, unless colours are not wanted")
    func colours() throws {
        let run = try program.script(
            """
            shown() { script -qec "closer-keys \(number) --qr" /dev/null < /dev/null | tr -d '\\r'; }
            unset NO_COLOR; export TERM=xterm
            shown > coloured; NO_COLOR=1 shown > plain; TERM=dumb shown > dumb
            closer-keys \(number) --qr > piped
            cmp plain piped; cmp dumb piped
            { head -n -1 piped | sed $'s/.*/\\e[40;97m&\\e[0m/'; tail -n 1 piped; } | cmp - coloured
            """)
        #expect(run.exit == 0, "\(run.text.debugDescription)\(run.errors.debugDescription)")
    }

    @Test("a scanner reads from the PNG what another device takes as the same number")
    func scanner() throws {
        let run = try program.script(
            """
            closer-keys \(number) --qr-png code.png
            zbarimg --quiet --raw --oneshot -Sbinary code.png > scanned
            closer-keys x25519 safety-number --private-key-file bob.x25519 --ours-user bob --theirs-user alice \
                --peer-key \(alice) --scanned scanned
            """)
        #expect(run.exit == 0 && run.text.hasSuffix("\nverified\n"), "\(run.errors)")
    }

    // MARK: - Refusals

    @Test(
        "each refusal has its exit code and its id, and leaves no file",
        arguments: [
            ("public --private-key-file missing", 66, "noInput"), ("public", 66, "noInput"),
            ("public --private-key-file empty", 5, "malformed"),
            ("public --private-key-file two", 5, "malformed"),
            ("public --private-key-file large", 6, "limit"),
            ("new -o alice.x25519", 7, "inputRequired"),
            ("public --private-key-file alice.x25519 -o alice.x25519 --force", 7, "inputRequired"),
            ("public --private-key-file alice.x25519 --vault v.db", 64, "usage"), ("", 64, "usage"),
            ("agree --private-key-file alice.x25519", 64, "usage"),
            ("agree --private-key-file alice.x25519 --peer-key AAAA -o k", 5, "malformed"),
            ("agree --private-key-file alice.x25519 --peer-key \(zero) -o k", 5, "malformed"),
            (
                "agree --private-key-file alice.x25519 --peer-key \(key) --salt a --salt-hex 61 -o k", 64,
                "usage"
            ),
            ("agree --private-key-file alice.x25519 --peer-key \(key) --salt-hex 6 -o k", 64, "usage"),
            ("agree --private-key-file alice.x25519 --peer-key \(key) --info \(long) -o k", 6, "limit"),
            ("safety-number --private-key-file alice.x25519 --theirs-user b --peer-key \(key)", 64, "usage"),
            ("\(plain) --ours-user a|b --peer-key \(key)", 5, "malformed"),
            ("\(plain) --ours-user a --peer-key \(zero)", 5, "malformed"),
            ("\(plain) --ours-user a --peer-key \(key) --digits 1 --scanned two", 64, "usage"),
            ("\(plain) --ours-user a --peer-key \(key) --digits 1 --qr", 64, "usage"),
            ("\(plain) --ours-user a --peer-key \(key) --qr", 64, "usage"),
            ("\(plain) --ours-user a --peer-key \(key) --qr-png -", 64, "usage"),
            ("\(plain) --ours-user a --peer-key \(key) --qr-svg two", 7, "inputRequired"),
            ("\(plain) --ours-user a --peer-key \(key) --qr-png no/folder", 73, "cantCreate"),
            ("\(plain) --ours-user a --peer-key \(key) --qr-png alice.x25519 --force", 7, "inputRequired"),
        ] as [(String, Int32, String)])
    func refusals(_ arguments: String, _ exit: Int32, _ id: String) throws {
        try program.write(Data("\(Self.key)\n\(Self.key)\n".utf8), to: "two")
        try program.write(Data(), to: "empty")
        try program.write(Data(count: 1025), to: "large")
        let before = try program.files()
        let run = try program("x25519 \(arguments) --json")
        #expect(run.exit == exit, "\(run.errors)")
        let error = try JSONValue(parsing: run.output.dropLast())["error"]
        #expect(error?["code"]?.string == id)
        #expect(try program.files() == before)
    }

    private static let key = TestData.golden.text("chat.bobPublic")
    private static let zero = Base64.standard.encode([UInt8](repeating: 0, count: 32))
    private static let long = String(repeating: "x", count: 32769)
    private static let plain = "safety-number --private-key-file alice.x25519 --theirs-user b"

    private var number: String {
        "x25519 safety-number --private-key-file alice.x25519 --ours-user alice --theirs-user bob --peer-key \(bob)"
    }

    private static let readSVG = """
        import re, sys, xml.etree.ElementTree as tree
        root = tree.parse(sys.argv[1]).getroot()
        side = int(root.get("viewBox").split()[2])
        rows = [["."] * side for _ in range(side)]
        path = root[1].get("d")
        runs = re.findall(r"M(\\d+) (\\d+)h(\\d+)v1h-(\\d+)z", path)
        assert "".join("M%s %sh%sv1h-%sz" % run for run in runs) == path
        for x, y, count, back in runs:
            assert count == back
            for column in range(int(x), int(x) + int(count)): rows[int(y)][column] = "#"
        print("\\n".join("".join(row) for row in rows))
        """

    /// Checks the sum of every chunk, the sum of the stream, and that each module is a square of one colour.
    private static let readPNG = """
        import struct, sys, zlib
        data, chunks = open(sys.argv[1], "rb").read(), []
        assert data[:8] == b"\\x89PNG\\r\\n\\x1a\\n"
        at = 8
        while at < len(data):
            count, = struct.unpack(">I", data[at:at + 4])
            body, (crc,) = data[at + 4:at + 8 + count], struct.unpack(">I", data[at + 8 + count:at + 12 + count])
            assert zlib.crc32(body) == crc
            chunks.append((body[:4], body[4:]))
            at += 12 + count
        assert [name for name, _ in chunks] == [b"IHDR", b"IDAT", b"IEND"]
        width, height, *rest = struct.unpack(">IIBBBBB", chunks[0][1])
        assert rest == [1, 0, 0, 0, 0]
        pixels, line = zlib.decompress(chunks[1][1]), 1 + (width + 7) // 8
        assert len(pixels) == height * line
        rows = [pixels[y * line:(y + 1) * line] for y in range(height)]
        assert all(row[0] == 0 for row in rows)
        dark = lambda x, y: not rows[y][1 + x // 8] >> (7 - x % 8) & 1
        for y in range(0, height, 8):
            squares = [{dark(x + i, y + j) for i in range(8) for j in range(8)} for x in range(0, width, 8)]
            assert all(len(square) == 1 for square in squares)
            print("".join("#" if square == {True} else "." for square in squares))
        """
}
