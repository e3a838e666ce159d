import Foundation

extension ClosingProgram {
    /// Runs Python that acts at a moment: `Watch(folder).until(part)` returns as soon as a file appears whose name has this part, and
    /// `Turn(vault).until(change)` as soon as a change that was begun waits for its turn, which it gets at `end()`.
    func watching(_ acts: String) throws -> Run {
        // IN_CREATE is 0x100.
        let text = """
            import ctypes, fcntl, glob, os, pty, resource, shutil, signal, subprocess, time
            c = ctypes.CDLL(None)

            class Watch:
                def __init__(self, folder):
                    self.number = c.inotify_init()
                    assert c.inotify_add_watch(self.number, folder.encode(), 0x100) >= 0

                def until(self, part):
                    while part.encode() not in os.read(self.number, 4096): pass

            class Turn:
                def __init__(self, vault):
                    self.file = open(vault + ".lock", "a")
                    fcntl.flock(self.file, fcntl.LOCK_EX)

                def until(self, change):
                    while change.poll() is None:
                        for name in glob.glob(f"/proc/{change.pid}/fd/*"):
                            try:
                                if os.readlink(name) == os.path.realpath(self.file.name): return
                            except OSError: pass
                        time.sleep(0.002)

                def end(self): self.file.close()

            def tell(line, limit=resource.RLIM_INFINITY):
                limits = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
                told = open("told", "w")
                return subprocess.Popen(["closer-keys", *line.split()], stderr=told, preexec_fn=limits)

            def told(): return open("told").read()

            def start(line):
                return subprocess.Popen(["closer-keys", *line.split()])

            def run(line):
                return subprocess.run(["closer-keys", *line.split()], capture_output=True)

            \(acts)
            """
        try write(Data(text.utf8), to: ".acts.py")
        return try script("timeout 55 python3 .acts.py")
    }
}
