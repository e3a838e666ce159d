import CloserWire
import Foundation
import TestSupport
import Testing

@Suite("x25519: terminals and pictures")
struct X25519CommandTests {
    private let program: ClosingProgram
    private let bob = TestData.golden.text("chat.bobPublic")

    init() throws {
        program = try ClosingProgram()
        for name in ["alice", "bob"] {
            let key = Base64.standard.encode(TestData.golden.hex("chat.\(name)PrivateHex"))
            try program.write(Data("\(key)\n".utf8), to: "\(name).x25519")
        }
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
    }

    @Test("text, SVG and PNG show one code, and Python's zlib reads the PNG")
    func pictures() throws {
        let run = try program("\(number) --qr --qr-file code.svg")
        #expect(try program("\(number) --qr-file code.png").exit == 0)
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

    private var number: String {
        "x25519 safety-number --private-key-file alice.x25519 --user alice --partner bob --peer-key \(bob)"
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
