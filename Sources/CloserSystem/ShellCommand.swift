internal import CCloserSystem
package import CloserFiles

/// A command of the shell, `/bin/sh -c`, that is run for what it prints.
///
/// It reads nothing, and its standard error is ours. It may ask at the terminal, and an interrupt there ends it with us.
package struct ShellCommand: ~Copyable {
    private let process: CInt
    private let output: Descriptor

    package init(_ command: String) throws(ChildProcessError) {
        var (process, output): (CInt, CInt) = (0, -1)
        let error = unsafe closer_start_shell(command, &process, &output)
        guard error == 0 else { throw .cannotStart(reason: unsafe String(cString: strerror(error))) }
        self.process = process
        self.output = Descriptor(number: output, name: "the command's output", closes: true)
    }

    /// Reads more of what it prints; false at the end. What it has left behind may hold its output open, so what is in the pipe when the
    /// shell has ended is all.
    package func read(into output: inout OutputSpan<UInt8>) throws(FileError) -> Bool {
        var hasEnded = false
        while true {
            var pipe = pollfd(fd: self.output.number, events: Int16(POLLIN), revents: 0)
            if unsafe poll(&pipe, 1, hasEnded ? 0 : 20) > 0 { return try self.output.read(into: &output) }
            guard !hasEnded else { return false }
            hasEnded = closer_end_of_program(process) != CInt(CLOSER_STILL_RUNNING)
        }
    }

    /// Waits until it ends. How it ended, in words; nil for exit code 0.
    package consuming func end() -> String? {
        let process = process
        do { _ = consume self }
        let status = closer_wait_for_shell(process)
        guard status != 0 else { return nil }
        return status > 0 ? "with exit code \(status)" : "by signal \(-status)"
    }
}
