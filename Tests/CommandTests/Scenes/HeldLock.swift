import Foundation

extension ClosingProgram {
    /// Runs Python that holds a vault's lock: `HeldLock(vault)` has it, `until_wanted(pid)` returns once a command waits for it, on Linux
    /// alone, and `release()` lets the command go on. `start(line)` and `run(line)` start the program.
    func holdingLocks(_ acts: String) throws -> Run {
        let text = """
            import fcntl, os, pty, signal, subprocess, time

            class HeldLock:
                def __init__(self, vault):
                    self.file = open(vault + ".lock", "a")
                    fcntl.flock(self.file, fcntl.LOCK_EX)

                def until_wanted(self, pid):
                    asleep = 0
                    while asleep < 50:
                        # Before it becomes the program, a child is this one.
                        isProgram = os.readlink(f"/proc/{pid}/exe").endswith("closer-keys")
                        state = open(f"/proc/{pid}/stat").read().rsplit(")", 1)[1].split()[0]
                        asleep = asleep + 1 if isProgram and state == "S" else 0
                        time.sleep(0.005)

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
