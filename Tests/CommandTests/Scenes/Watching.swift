import Foundation

extension ClosingProgram {
    /// Runs Python that acts at a moment: `Watch(folder).until(part)` returns as soon as a file appears whose name has this part.
    func watching(_ acts: String) throws -> Run {
        // IN_CREATE is 0x100.
        let text = """
            import ctypes, fcntl, glob, os, pty, shutil, signal, subprocess, time
            c = ctypes.CDLL(None)

            class Watch:
                def __init__(self, folder):
                    self.number = c.inotify_init()
                    assert c.inotify_add_watch(self.number, folder.encode(), 0x100) >= 0

                def until(self, part):
                    while part.encode() not in os.read(self.number, 4096): pass

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
