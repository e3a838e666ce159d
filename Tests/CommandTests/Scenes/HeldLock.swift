import Foundation

extension ClosingProgram {
    /// Runs Python that holds a vault's lock: `HeldLock(vault)` has it, `until_wanted(command)` returns once the command waits for it, on
    /// Linux alone, and `release()` lets the command go on. `start(line)` and `run(line)` start the program.
    func holdingLocks(_ acts: String) throws -> Run {
        let text = """
            import fcntl, glob, os, pty, signal, subprocess, time

            class HeldLock:
                def __init__(self, vault):
                    self.file = open(vault + ".lock", "a")
                    fcntl.flock(self.file, fcntl.LOCK_EX)

                def until_wanted(self, pid):
                    path = os.path.realpath(self.file.name)
                    for _ in range(100000):
                        # Before it becomes the program, a child has the files of this one.
                        isProgram = os.readlink(f"/proc/{pid}/exe").endswith("closer-keys")
                        for name in glob.glob(f"/proc/{pid}/fd/*") if isProgram else []:
                            try:
                                if os.readlink(name) == path: return
                            except OSError: pass
                    raise SystemExit("the lock is not wanted")

                def release(self): self.file.close()

            def start(line):
                return subprocess.Popen(["closer-keys", *line.split()])

            def run(line):
                return subprocess.run(["closer-keys", *line.split()], capture_output=True)

            \(acts)
            """
        try write(Data(text.utf8), to: ".acts.py")
        return try script("timeout -s KILL 55 python3 .acts.py")
    }
}
