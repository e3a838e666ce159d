import Foundation
import TestSupport
import Testing

/// Each system call of a command that changes a vault fails once, with each of three errors, and is once the last one.
///
/// `CLOSER_KEYS_FAULTS` says how many of these faults there are in all, or `all`; nothing runs without it. strace makes them.
@Suite("A command one of whose system calls fails", .enabled(if: Fault.wanted > 0), .serialized)
struct FaultTests {
    private static let base = Result { try KilledCouple() }

    @Test(
        "leaves the old state or the new one, and its exit code says which",
        .proves("V6: a crash, a full disk or two commands at once leave the old vault or the new one"),
        arguments: KillScene.all)
    func fault(_ scene: KillScene) throws {
        let base = try Self.base.get()
        var found: [String: Int] = [:]
        for fault in try Self.faults(of: scene, base) {
            let program = try base.copy(without: scene.lock)
            let run = try fault.run(scene.arguments(base), input: scene.input(base), in: program)
            let killed = Killed(
                base: base, program: program, output: run.text,
                isWarned: run.errors.contains("closer-keys: warning: "))
            try killed.expectNothingIsReadable()
            let state = try scene.check(killed)
            let what: Comment =
                "\(scene.arguments), \(fault), exit \(run.exit): \(state ?? "neither"), \(run.errors)"
            #expect(state != nil, what)
            #expect(Self.isKept(run, fault, state ?? ""), what)
            found["\(fault.effect.rawValue): exit \(run.exit), \(state ?? "neither")", default: 0] += 1
            try FileManager.default.removeItem(at: program.folder)
        }
        print("faults, \(scene), seed \(Fault.seed):")
        for (what, count) in found.sorted(by: { $0.key < $1.key }) { print("    \(count) \(what)") }
    }

    @Test("waits for the whole file system if the folder cannot be waited for, as one that may not be read")
    func unreadableFolder() throws {
        let base = try Self.base.get()
        let program = try base.copy(without: "none")
        let scene = try #require(KillScene.all.first)
        let log = program.folder.deletingLastPathComponent().appending(path: "syncs-\(UUID())")
        defer { try? FileManager.default.removeItem(at: log) }
        let tool = [
            "strace", "-f", "-qq", "-o", log.path(), "-e", "trace=fsync,syncfs", "-e",
            "inject=fsync:error=EBADF:when=2",
        ]
        let run = try program.start(under: tool, scene.arguments(base), input: scene.input(base)).wait()
        #expect(run.exit == 0, "\(run.errors)")
        let calls = try String(contentsOf: log, encoding: .utf8)
        #expect(calls.contains("syncfs(") && calls.contains("INJECTED"), "\(calls)")
    }

    @Test(
        "warns of an input/output error of the folder's flush, or of that of the whole file system",
        arguments: [
            "fsync:error=EIO:when=2", "fsync:error=EINVAL:when=2 -e inject=syncfs:error=EIO",
            "fsync:error=EINVAL:when=2",
        ])
    func brokenFolder(_ fault: String) throws {
        let base = try Self.base.get()
        let program = try base.copy(without: "none")
        let scene = try #require(KillScene.all.first)
        let tool =
            ["strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=fsync,syncfs", "-e"]
            + "inject=\(fault)".split(separator: " ").map(String.init)
        let run = try program.start(under: tool, scene.arguments(base), input: scene.input(base)).wait()
        #expect(run.exit == 0, "\(run.errors)")
        #expect(
            run.errors.contains("warning: what was written may not be on the disk") == fault.contains("EIO"))
    }

    /// On a file system that can rename without replacing, and on one that cannot, but has hard links.
    private static let naming = [
        "inject=renameat2:delay_enter=2000000",
        "inject=renameat2:error=EINVAL -e inject=?link,linkat:delay_enter=2000000",
    ]

    @Test(
        "a file that another program makes while the command runs is not replaced", arguments: naming,
        [true, false])
    func arrival(_ injections: String, isTaken: Bool) throws {
        let run = try Self.base.get().copy(without: "none").script(
            """
            strace -f -qq -o calls -e trace=?link,linkat,renameat2 -e \(injections) \
                closer-keys keyset new --type aes256-gcm -o made & making=$!
            until ls .closer-keys.*.tmp > /dev/null 2>&1 || ! kill -0 $making 2> /dev/null; do sleep 0.02; done
            [ \(isTaken) = false ] || echo theirs > made
            wait $making && code=0 || code=$?
            echo $code; head -c 6 made; ls -A | grep tmp || true
            """)
        #expect(
            run.exit == 0
                && (isTaken
                    ? run.text == "73\ntheirs" : run.text.hasPrefix("0\n") && !run.text.contains("tmp")),
            "\(run.text)\(run.errors)")
    }

    @Test("nor is it where the file system has neither such renames nor links")
    func withoutLinks() throws {
        let run = try Self.base.get().copy(without: "none").script(
            """
            strace -f -qq -o calls -e trace=?link,linkat,renameat2 -e inject=renameat2:error=EINVAL -e inject=?link,linkat:error=EPERM:delay_exit=2000000 \
                closer-keys keyset new --type aes256-gcm -o made & making=$!
            until grep -q EINVAL calls 2> /dev/null || ! kill -0 $making 2> /dev/null; do sleep 0.02; done
            echo theirs > made
            wait $making && code=0 || code=$?
            echo $code; head -c 6 made
            """)
        #expect(run.exit == 0 && run.text == "73\ntheirs", "\(run.text)\(run.errors)")
    }

    /// The contract: a command that ends well has made its change, and one that does not says why, by a code that is none of a crash.
    private static func isKept(_ run: ClosingProgram.Run, _ fault: Fault, _ state: String) -> Bool {
        switch run.exit {
        case 128 + SIGKILL: fault.effect == .kill
        case _ where fault.effect == .kill: false
        case 0: state.hasPrefix("new")
        default: [6, 7, 8, 66, 73, 74].contains(run.exit) && run.errors.contains("closer-keys: error: ")
        }
    }

    private static func faults(of scene: KillScene, _ base: KilledCouple) throws -> [Fault] {
        let program = try base.copy(without: scene.lock)
        let calls = try SystemCall.all(of: scene.arguments(base), input: scene.input(base), in: program)
        try FileManager.default.removeItem(at: program.folder)
        let all = calls.flatMap { call in Fault.Effect.allCases.map { Fault(call: call, effect: $0) } }
        guard Fault.wanted < .max else { return all }
        var draws = SeededDraws(seed: Fault.seed ^ UInt64(scene.arguments.utf8.count) << 32)
        return Array(all.shuffled(using: &draws).prefix(max(1, Fault.wanted / KillScene.all.count)))
    }
}
