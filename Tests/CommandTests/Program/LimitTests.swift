import CloserWire
import Foundation
import Testing

@Suite("Under the limits of a shell, nothing ends by a signal")
struct LimitTests {
    private let scene: CoupleScene
    private var program: ClosingProgram { scene.program }

    init() async throws {
        scene = try await CoupleScene()
        try program.write(Data("correct horse\n".utf8), to: "secret")
        try program.write(Data("{\"answer\":\"yes\"}".utf8), to: "text")
    }

    /// One of each sort: without keys, with a vault, with Argon2id, with outputs, with large inputs.
    private static let commands = """
        version
        self-test
        device show --vault a.db --json
        device export --vault a.db --export-passphrase-file secret -o made.export
        device init --vault made.db --user carol --passphrase-file secret
        couple create --vault a.db --couple made --phrase-file made.txt -o made.json
        couple join --vault c.db --couple couple_1 invite.json
        field seal --vault a.db --couple couple_1 text
        field seal --vault a.db --couple couple_1 -o made.token text
        answer seal --vault a.db --couple couple_1 --question made --place daily:2026-11-20 text
        keyset new --type aes256-gcm -o made.keyset
        inspect a.pub
        vectors verify --json-file made.report field.json
        vectors export
        no such command
        """

    /// Runs each command under each limit and gives back what each run ended with.
    private func ends(_ limits: [String], under wrapper: String = "bash -c") throws -> [End] {
        try limits.flatMap { limit in
            let run = try program.script(
                """
                while read -r words; do
                    code=0
                    \(wrapper) "ulimit \(limit); exec closer-keys $words" > /dev/null 2> errors < /dev/null || code=$?
                    printf '%s\t%s\t%s\n' "$code" "$words" "$(tr '\n' ' ' < errors)"
                    rm -rf made*
                done <<'commands'
                \(Self.commands)
                commands
                ls -A | { grep '[.]tmp$' || true; }
                """)
            return run.text.split(separator: "\n").map { End(limit, String($0)) }
        }
    }

    private struct End: CustomTestStringConvertible {
        let limit: String
        let code: Int32
        let command: String
        let errors: String
        /// A file that should be gone, or that the script failed.
        var isStray: Bool { command.isEmpty }
        var testDescription: String { "ulimit \(limit): \(code) \(command): \(errors)" }

        init(_ limit: String, _ line: String) {
            let parts = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            self.limit = limit
            (code, command) = (Int32(parts[0]) ?? -1, parts.count > 1 ? parts[1] : "")
            errors = parts.count > 2 ? parts[2] : line
        }
    }

    private func check(_ ends: [End], _ limits: [String]) {
        #expect(ends.count == limits.count * Self.commands.split(separator: "\n").count)
        for end in ends {
            #expect(
                end.code >= 0 && end.code < 128 && end.code != 2 && !end.isStray, "\(end.testDescription)")
            #expect(!end.errors.contains("crashed") && !end.errors.contains("Stack dump"))
        }
    }

    @Test("memory: what Argon2id lacks is said, and no output begins")
    func memory() throws {
        let least = try program.leastMemory()
        let limits = [0, 2000, 8000, 40000].map { "-v \(least + $0)" }
        let ends = try ends(limits)
        check(ends, limits)
        let exports = ends.filter { $0.command.hasPrefix("device export") }
        let words = "error: Argon2id needs 256 MiB of memory, and the system did not give it"
        #expect(exports.filter { $0.code == 6 && $0.errors.contains(words) }.count >= 3)
        for end in ends where end.code == 6 {
            #expect(end.errors.contains(" memory"), "\(end.testDescription)")
        }
        #expect(ends.contains { $0.command.hasPrefix("couple join") && $0.errors.contains("needs 45 MiB") })
    }

    @Test("memory: with --json, too, the result is one object")
    func memoryInJSON() throws {
        let least = try program.leastMemory()
        for command in [
            "device init --vault made.db --user carol --passphrase-file secret --json",
            "vectors verify --json",
        ] {
            let run = try program.script("ulimit -v \(least + 2000); exec closer-keys \(command)")
            #expect(run.exit == 6, "\(run.errors)")
            let result = try JSONValue(parsing: run.output.dropLast())
            #expect(result["error"]?["code"] == "limit")
        }
    }

    @Test("memory: what a planted file of 256 MiB lacks is said, with much memory and with little")
    func memoryForPlanted() throws {
        let least = try program.leastMemory()
        let run = try program.script("cp a.db saved.db; truncate -s 256M a.db; truncate -s 268435456 large")
        #expect(run.exit == 0)
        for room in [20000, 100_000, 250_000, 400_000] {
            for command in ["device show --vault a.db", "doctor --export-passphrase-file secret large"] {
                let run = try program.script("ulimit -v \(least + room); exec closer-keys \(command)")
                #expect([5, 6, 74].contains(run.exit), "\(least + room): \(run.exit) \(run.errors)")
            }
        }
    }

    @Test("memory: what is enough for one derivation is enough for vectors, which are put on one core then")
    func memoryForOne() throws {
        let limit = try program.leastMemory() + 64000
        let run = try program.script("ulimit -v \(limit); exec closer-keys vectors verify wrap.json")
        #expect(run.exit == 0, "\(run.text) \(run.errors)")
    }

    @Test("descriptors: a few are enough, or a file is not opened")
    func descriptors() throws {
        let limits = [4, 5, 7].map { "-n \($0)" }
        check(try ends(limits), limits)
    }

    @Test("the size of files: a write that is too large is an error of the file")
    func fileSize() throws {
        // Some that start the tests ignore the signal of this limit, as Python does, and what they start inherits that.
        let ends = try ends(["-f 0"], under: "env --default-signal=XFSZ bash -c")
        check(ends, ["-f 0"])
        #expect(ends.contains { $0.command.hasPrefix("device export") && [73, 74].contains($0.code) })
    }

    @Test("locked memory: without it everything works, and self-test counts what could not be locked")
    func lockedMemory() throws {
        // Root may lock as much as it wants, unless it gives that up.
        let wrapper = getuid() == 0 ? "setpriv --bounding-set=-ipc_lock bash -c" : "bash -c"
        let ends = try ends(["-l 0"], under: wrapper)
        check(ends, ["-l 0"])
        #expect(ends.filter { $0.code == 0 }.count == ends.count - 1)
        let all = try program.script("\(wrapper) 'ulimit -l 0; exec closer-keys self-test --json'")
        let none = try JSONValue(parsing: all.output.dropLast())
        let taken = try #require(none["memoryPieces"]?.number)
        #expect(
            taken >= 2 && none["unlockedMemoryPieces"]?.number == taken && none["memoryIsLocked"] == false)
        // The arena has 16 KiB and its canary a page more; two pages of the short secrets do not fit.
        let some = try program.script("\(wrapper) 'ulimit -l 16; exec closer-keys self-test'")
        #expect(some.exit == 0)
        let words = try #require(some.text.split(separator: "\n").last)
        #expect(
            words.hasPrefix("memory for secrets: ")
                && words.contains(" of \(Int(taken)) pieces could not be locked"))
        #expect(!words.contains(": \(Int(taken)) of"), "\(words)")
        let whole = try JSONValue(parsing: program("self-test --json").output.dropLast())
        #expect(whole["memoryIsLocked"] == .bool(whole["unlockedMemoryPieces"]?.number == 0))
    }
}
