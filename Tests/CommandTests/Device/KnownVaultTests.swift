import Foundation
import Testing

/// What this machine remembers of its vaults (closer-keys(1), FILES).
@Suite("What this machine remembers of a vault")
struct KnownVaultTests {
    @Test(
        "is read once a command, and not written where nothing is new",
        .enabled(if: FileManager.default.fileExists(atPath: "/proc/sys/fs/inotify")))
    func once() throws {
        let program = try ClosingProgram(
            after: "closer-keys device init --vault a.db --user alice --key-file a.key")
        // IN_OPEN is 0x20, IN_CLOSE_NOWRITE 0x10, and IN_MOVED_TO 0x80: two events that are the same would be one.
        let run = try program.script(
            """
            python3 -c '
            import ctypes, glob, os, struct, subprocess
            c = ctypes.CDLL(None)
            watch = c.inotify_init1(0o4000)
            assert c.inotify_add_watch(watch, b".local/state/closer-keys", 0xb0) >= 0
            subprocess.run(["closer-keys", "couple", "status", "--vault", "a.db"], check=True)
            events, opened, moved = os.read(watch, 65536), 0, 0
            while events:
                _, mask, _, count = struct.unpack("iIII", events[:16])
                isJSON = events[16:16 + count].rstrip(b"\\0").endswith(b".json")
                opened, moved, events = opened + (isJSON and mask & 0x20 != 0), moved + (mask & 0x80 != 0), events[16 + count:]
            print(opened, moved)'
            """)
        #expect(run.text == "1 0\n", "\(run.errors)")
    }
}
