import Foundation

extension ClosingProgram {
    /// Runs Python that acts at a moment: `Watch(folder).until(part)` returns as soon as a file whose name has this part is made or
    /// moved there, and `Turn(vault).until(change)` as soon as a change that was begun waits for its turn, which it gets at `end()`, and
    /// `until_asleep(command)` once it waits for its input, on Linux alone; so does `asking(line, option)` with the descriptor of a
    /// passphrase, which `answered` gives. Who writes into a `full_pipe()` waits until somebody reads. `Spoiler(folder, act)`
    /// empties the first temporary file there that has bytes, or writes over it, while `with` lasts; `was_early` says whether it had its
    /// temporary name afterwards.
    func watching(_ acts: String) throws -> Run {
        // IN_CREATE is 0x100, IN_MOVED_TO 0x80: a new file may take its name by either.
        let text = """
            import ctypes, fcntl, glob, os, pty, re, resource, shutil, signal, subprocess, threading, time
            c = ctypes.CDLL(None)

            class Watch:
                # Who sleeps on the processor on which the change runs goes first when it wakes. On another they come too late.
                def __init__(self, folder):
                    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
                    self.number = c.inotify_init()
                    assert c.inotify_add_watch(self.number, folder.encode(), 0x180) >= 0

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

            def asking(line, option):
                reading, writing = os.pipe()
                command = subprocess.Popen(["closer-keys", *line.split(), option, str(reading)], pass_fds=[reading], stderr=subprocess.PIPE)
                until_asleep(command)
                return command, writing

            def answered(command, writing):
                os.write(writing, b"correct horse battery staple\\n")
                os.close(writing)
                return command.stderr.read().decode(), command.wait(20)

            def full_pipe():
                reading, writing = os.pipe()
                fcntl.fcntl(writing, fcntl.F_SETFL, os.O_NONBLOCK)
                try:
                    while True: os.write(writing, b"x" * 4096)
                except BlockingIOError: pass
                fcntl.fcntl(writing, fcntl.F_SETFL, 0)
                return reading, writing

            def until_asleep(command):
                asleep = 0
                while asleep < 100:
                    state = open(f"/proc/{command.pid}/stat").read().rsplit(")", 1)[1].split()[0]
                    asleep = asleep + 1 if state == "S" else 0
                    time.sleep(0.002)

            class Spoiler(threading.Thread):
                def __init__(self, folder, act):
                    super().__init__(daemon=True)
                    self.folder, self.act, self.was_early = folder, act, False
                    self.known = [file.inode() for file in os.scandir(folder)]
                    # IN_MODIFY is 0x2, and IN_DELETE 0x200.
                    self.number = c.inotify_init()
                    assert c.inotify_add_watch(self.number, folder.encode(), 0x202) >= 0

                def spoil(self, path):
                    with open(path, "r+b") as file:
                        status = os.fstat(file.fileno())
                        if not status.st_size or status.st_ino in self.known: return False
                        if self.act == "empty": os.truncate(file.fileno(), 0)
                        else: os.write(file.fileno(), b"x" * status.st_size)
                        self.was_early = os.stat(path).st_ino == status.st_ino
                    return True

                def run(self):
                    while True:
                        for name in re.findall(rb"\\.closer-keys\\.\\w+\\.tmp|spoiler-is-over", os.read(self.number, 4096)):
                            if name == b"spoiler-is-over": return
                            try:
                                if self.spoil(f"{self.folder}/{name.decode()}"): return
                            except FileNotFoundError: pass

                def __enter__(self):
                    self.start()
                    return self

                def __exit__(self, *error):
                    over = self.folder + "/spoiler-is-over"
                    open(over, "w").close()
                    os.unlink(over)
                    self.join()
                    os.close(self.number)

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
        return try script("timeout -s KILL 55 python3 .acts.py")
    }
}
