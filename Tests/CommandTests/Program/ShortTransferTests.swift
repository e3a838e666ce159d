#if os(Linux)
import Foundation
import TestSupport
import Testing

/// The system moves fewer bytes than it was asked to, as it may, and then finds the disk full in the middle of a file.
@Suite("A command whose reads and writes are short", .enabled(if: Fault.wanted > 0), .serialized)
struct ShortTransferTests {
    private static let base = Result { try KilledCouple() }
    private static let library = Result { try ShortTransfers() }
    /// How often the disk is full, for each command.
    private static let faultCount = Fault.wanted < 400 ? 1 : 10

    @Test("does what it does otherwise", arguments: KillScene.all)
    func short(_ scene: KillScene) throws {
        let (run, state) = try Self.run(scene)
        #expect(run.exit == 0 && state?.hasPrefix("new") == true, "\(state ?? "neither"), \(run.errors)")
    }

    @Test(
        "and whose disk is full in between leaves the old state or the new one", arguments: KillScene.all)
    func full(_ scene: KillScene) throws {
        var draws = SeededDraws(seed: Fault.seed)
        for place in [1] + (0..<Self.faultCount).map({ _ in Int.random(in: 2...60, using: &draws) }) {
            let (run, state) = try Self.run(scene, isFullAt: place)
            let what: Comment =
                "at write \(place), seed \(Fault.seed), exit \(run.exit): \(state ?? "neither"), \(run.errors)"
            #expect(state != nil && (run.exit != 0 || state?.hasPrefix("new") == true), what)
            #expect([0, 6, 7, 8, 66, 73, 74].contains(run.exit), what)
            // Each of these commands writes something.
            #expect(
                place > 1 || run.errors.contains("no space left on device")
                    || run.errors.contains(" is full: "), what)
        }
    }

    private static func run(
        _ scene: KillScene, isFullAt place: Int = 0
    ) throws -> (ClosingProgram.Run, state: String?) {
        let base = try base.get()
        let program = try base.copy(without: scene.lock)
        defer { try? FileManager.default.removeItem(at: program.folder) }
        let tool = try library.get().settings(isFullAt: place)
        let run = try program.start(under: tool, scene.arguments(base), input: scene.input(base)).wait()
        let killed = Killed(
            base: base, program: program, output: run.text,
            isWarned: run.errors.contains("closer-keys: warning: "))
        try killed.expectNothingIsReadable()
        return (run, try scene.check(killed))
    }
}

/// A library in front of libc whose reads and writes move 100 bytes at the most.
private struct ShortTransfers {
    private static let source = """
        #define _GNU_SOURCE
        #include <dlfcn.h>
        #include <errno.h>
        #include <stdlib.h>
        #include <unistd.h>

        enum { most = 100 };

        static size_t shorter(size_t count) { return count < most ? count : most; }

        // From the write with that number on the disk is full. Standard output and error are none.
        static int is_full(int descriptor) {
            static int count;
            const char *place = getenv("FULL_AT");
            if (descriptor <= 2 || place == NULL || atoi(place) == 0) return 0;
            if (__atomic_add_fetch(&count, 1, __ATOMIC_RELAXED) < atoi(place)) return 0;
            errno = ENOSPC;
            return 1;
        }

        ssize_t read(int descriptor, void *bytes, size_t count) {
            ssize_t (*next)(int, void *, size_t) = dlsym(RTLD_NEXT, "read");
            return next(descriptor, bytes, shorter(count));
        }

        ssize_t write(int descriptor, const void *bytes, size_t count) {
            ssize_t (*next)(int, const void *, size_t) = dlsym(RTLD_NEXT, "write");
            return is_full(descriptor) ? -1 : next(descriptor, bytes, shorter(count));
        }

        ssize_t pwrite(int descriptor, const void *bytes, size_t count, off_t offset) {
            ssize_t (*next)(int, const void *, size_t, off_t) = dlsym(RTLD_NEXT, "pwrite");
            return is_full(descriptor) ? -1 : next(descriptor, bytes, shorter(count), offset);
        }
        """
    private let file: URL

    init() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "short-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        file = folder.appending(path: "short.so")
        try Data(Self.source.utf8).write(to: folder.appending(path: "short.c"))
        let compiler = Process()
        compiler.executableURL = URL(filePath: "/usr/bin/env")
        compiler.arguments = ["clang", "-shared", "-fPIC", "-o", file.path(), folder.path() + "/short.c"]
        try compiler.run()
        compiler.waitUntilExit()
        try #require(compiler.terminationStatus == 0)
    }

    /// Words for env: what a run under it has in its environment.
    func settings(isFullAt place: Int) -> [String] { ["LD_PRELOAD=\(file.path())", "FULL_AT=\(place)"] }
}
#endif
