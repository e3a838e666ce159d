import Foundation
import TestSupport
import Testing

/// A folder that may not be written, a lock that another process holds, a disk that is full, a FIFO.
@Suite("What stands in a vault's way changes nothing in it")
struct ObstructedVaultTests {
    private let program: ClosingProgram
    /// The folder, as the program names it in messages.
    private let place: String
    /// All that a failure may not change: what is in each file, and which files there are.
    private let before: String

    /// For root, mode bits count only without the capabilities that pass over them.
    static let bound =
        geteuid() == 0 ? "setpriv \(option("inh-caps")) \(option("bounding-set"))" : "env"

    private static func option(_ name: String) -> String { "--\(name)=-dac_override,-dac_read_search" }

    init() throws {
        program = try ClosingProgram()
        let run = try program.script(
            """
            umask 077; mkdir room; printf 'three words more' > words
            closer-keys device init --vault room/a.db --user alice --key-file a.key
            cp room/a.db old.db; closer-keys couple create --vault room/a.db --couple c --phrase-file p -o invite
            """)
        try #require(run.exit == 0, "\(run.errors)")
        place = try program.script("pwd -P").text.trimmingCharacters(in: .newlines)
        before = try Self.state(of: program)
    }

    private static func state(of program: ClosingProgram) throws -> String {
        let run = try program.script("cksum room/*; ls -A room; ls -A | grep -v ^.standard-")
        try #require(run.exit == 0, "\(run.errors)")
        return run.text
    }

    /// Runs a command that can read the vault and cannot write it or its folder.
    private func obstructed(_ command: String, lockIsThere: Bool = true) throws -> ClosingProgram.Run {
        if !lockIsThere { try FileManager.default.removeItem(atPath: "\(place)/room/a.db.lock") }
        return try program.script(
            """
            trap 'chmod 700 room; chmod 600 room/a.db' EXIT
            chmod 400 room/a.db; chmod 500 room
            if \(Self.bound) touch room/x 2> /dev/null; then echo "mode bits do not count" >&2; exit 99; fi
            set +e; \(Self.bound) closer-keys \(command); exit $?
            """)
    }

    private func expectWriteFailure(_ run: ClosingProgram.Run, of file: String, _ reason: String) throws {
        #expect((run.exit, run.text) == (74, ""))
        #expect(
            run.errors
                == "closer-keys: error: nothing was changed: the vault \(place)/\(file) cannot be written: \(reason)\n"
        )
    }

    private static let changes = [
        "answer seal --vault room/a.db --couple c --question q --place daily:2026-11-20 <<< '{\"answer\":\"yes\"}'",
        "couple create --vault room/a.db --couple d --phrase-file n",
        "couple rewrap --vault room/a.db --couple c --phrase-file n",
        "couple forget --vault room/a.db --couple c --yes",
        "device passphrase --vault room/a.db --new-passphrase-file words",
    ]

    @Test(
        "what only reads works where nothing can be written",
        arguments: ["device show --vault room/a.db", "couple show --vault room/a.db --couple c"])
    func reading(_ command: String) throws {
        let usual = try program(command)
        let run = try obstructed(command)
        #expect((run.exit, run.errors) == (0, ""))
        #expect(run.output == usual.output && !usual.output.isEmpty)
        #expect(try Self.state(of: program) == before)
    }

    @Test("a field is sealed where nothing can be written")
    func sealing() throws {
        let run = try obstructed(
            "field seal --quiet --vault room/a.db --couple c <<< text", lockIsThere: false)
        #expect((run.exit, run.errors) == (0, ""))
        #expect(try program("field open --vault room/a.db --couple c", input: run.text).text == "text\n")
        #expect(try !FileManager.default.contentsOfDirectory(atPath: "\(place)/room").contains("a.db.lock"))
    }

    @Test(
        "an output that cannot be looked at is 73",
        arguments: [
            "pair invite --vault a.db --couple d --phrase-file q --code-file room/in/x",
            "couple create --vault a.db --couple d --phrase-file room/in/x", "x25519 new -o room/in/x",
            "x25519 new --force -o room/in/x", "vectors export -o room/in", "x25519 new -o room/",
        ])
    func hiddenOutput(_ command: String) throws {
        let run = try program.script(
            """
            cp room/a.db .; mkdir room/in; chmod 0 room/in; trap 'chmod 700 room/in' EXIT
            \(Self.bound) closer-keys \(command) || exit $?
            """)
        #expect(run.exit == 73 && run.errors.contains("cannot create room/"), "\(run.exit) \(run.errors)")
    }

    @Test("a vault can be read by a name with which no lock has room")
    func longName() throws {
        let name = String(repeating: "v", count: 252)
        let run = try program.script(
            "cp room/a.db \(name); closer-keys couple status --vault \(name) --key-file a.key")
        #expect(run.exit == 0, "\(run.errors)")
    }

    @Test("a change that cannot be written is 74, and names the file", arguments: changes)
    func changing(_ command: String) throws {
        try expectWriteFailure(try obstructed(command), of: "room/a.db", "permission denied")
        #expect(try Self.state(of: program) == before)
    }

    @Test("a change that cannot make its lock is 74, and names the lock")
    func locking() throws {
        let vault = try program.content("room/a.db")
        let run = try obstructed(Self.changes[0], lockIsThere: false)
        try expectWriteFailure(run, of: "room/a.db.lock", "permission denied")
        #expect(try program.content("room/a.db") == vault)
        #expect(try FileManager.default.contentsOfDirectory(atPath: "\(place)/room") == ["a.db"])
    }

    @Test("a vault that cannot be written can be taken to another folder")
    func exporting() throws {
        let command = "device export --vault room/a.db --export-passphrase-file words -o"
        let refused = try obstructed("\(command) room/export")
        #expect((refused.exit, refused.text) == (73, ""))
        #expect(refused.errors == "closer-keys: error: cannot create room/export: permission denied\n")
        #expect(try Self.state(of: program) == before)
        let run = try obstructed("\(command) export")
        #expect((run.exit, run.text) == (0, ""))
        #expect(
            run.errors
                == "closer-keys: an export is a backup as of now: if you move with it, remove this vault once the new one works\n"
        )
        let imported = try program(
            "device import export --vault b.db --export-passphrase-file words --key-file b.key")
        #expect(imported.exit == 0, "\(imported.errors)")
        let shown = try ["room/a.db", "b.db"].map { try program("couple show --vault \($0) --couple c").text }
        #expect(shown[0] == shown[1] && shown[0].hasPrefix("couple: c\n"))
    }

    @Test(
        "a change that finds the disk full is 74, names the file, and says that nothing was changed",
        .proves("V6: a crash, a full disk or two commands at once leave the old vault or the new one"),
        arguments: changes.prefix(3))
    func full(_ command: String) throws {
        // A limit on the size of files stands for the end of the disk: the vault has more than these 1024 bytes, a phrase and
        // a document have less.
        let run = try program.script("ulimit -f 1; set +e; closer-keys \(command); exit $?")
        try expectWriteFailure(run, of: "room/a.db", "file too large")
        #expect(try Self.state(of: program) == before)
    }

    /// Another process holds the lock until the file `free` is there.
    private func held(_ commands: String) throws -> ClosingProgram.Run {
        try program.script(
            """
            flock room/a.db.lock bash -c 'touch held; until [ -e free ]; do sleep 0.01; done' &
            until [ -e held ]; do sleep 0.01; done
            trap 'touch free' EXIT
            \(commands)
            """)
    }

    @Test("a reader does not wait for the lock")
    func readerUnderLock() throws {
        let run = try held(
            """
            closer-keys device show --vault room/a.db
            closer-keys couple show --vault room/a.db --couple c
            closer-keys field seal --quiet --vault room/a.db --couple c <<< text
            """)
        #expect((run.exit, run.errors) == (0, ""))
        #expect(run.text.hasPrefix("userId: alice\n") && run.text.contains("\nenc:v1:"))
    }

    @Test("a change waits for the lock, and is then made")
    func changeUnderLock() throws {
        let run = try held(
            """
            closer-keys couple forget --vault room/a.db --couple c --yes & change=$!
            sleep 1; kill -0 $change; closer-keys couple show --vault room/a.db --couple c | head -1
            touch free; wait $change
            """)
        #expect((run.exit, run.errors) == (0, ""))
        #expect(run.text == "couple: c\nforgot c\n")
        #expect(try program("couple show --vault room/a.db --couple c").exit == 4)
    }

    @Test("a signal ends a change that waits for the lock, and nothing was changed")
    func signalUnderLock() throws {
        let vault = try program.content("room/a.db")
        let run = try held(
            """
            closer-keys couple forget --vault room/a.db --couple c --yes & change=$!
            sleep 1; kill -TERM $change; wait $change || echo $?
            """)
        #expect(run.text == "143\n", "\(run.errors)")
        #expect(try program.content("room/a.db") == vault)
    }

    @Test(
        "a FIFO in the place of a file is refused, and not waited for",
        arguments: [
            ("room/a.db", "couple status --vault room/a.db --key-file a.key", 74),
            ("link.db", "couple status --vault link.db --key-file a.key", 74),
            ("room/a.db.lock", "couple forget --vault room/a.db --couple c --yes", 74),
            ("a.key", "couple status --vault room/a.db", 5),
            ("k", "device init --vault n.db --user n --key-file k", 5),
            ("k", "device passphrase --vault room/a.db --new-key-file k", 5),
            (".local/state/closer-keys/$id.json", "couple status --vault room/a.db --key-file a.key", 74),
        ])
    func pipes(_ file: String, _ command: String, _ exit: Int) throws {
        let run = try program.script(
            """
            id=$(closer-keys device list | cut -d ' ' -f 1); mkfifo pipe
            rm -f \(file); [ \(file) = link.db ] && ln -s pipe link.db || ln pipe \(file)
            timeout 20 closer-keys \(command) || echo $?
            """)
        #expect(run.exit == 0 && run.text == "\(exit)\n", "\(run.text) \(run.errors)")
    }

    @Test(
        "an older vault in a folder that cannot be written is not accepted, and the hint says to copy it first"
    )
    func acceptOlder() throws {
        let run = try program.script(
            """
            closer-keys device policy --vault room/a.db --require-paired; mv room/a.db newest.db
            mkdir medium; cp old.db medium/a.db; trap 'chmod 700 medium' EXIT; chmod 500 medium
            \(Self.bound) closer-keys device accept-older --vault medium/a.db || exit $?
            """)
        #expect(run.exit == 74 && run.errors.contains("hint: copy "), "\(run.errors)")
        let after =
            "cmp old.db medium/a.db; mv newest.db room/a.db; closer-keys couple status --vault room/a.db"
        #expect(try program.lines(after).first?.hasPrefix("couple: c") == true)
    }
}
