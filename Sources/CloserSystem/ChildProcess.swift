internal import CCloserSystem
internal import CloserFiles

/// A program of another author that answers each line with a line, and its whole process group with it.
///
/// Its standard error is ours. A call always ends: with a line, or with an error when the time is over.
package final class ChildProcess {
    private let process: CInt
    /// Nil when it was closed, so that the program knows that the input ended.
    private var input: Descriptor?
    private let output: Descriptor
    /// What it has yet to take: it may answer before it has all of a line.
    private var unsent: ArraySlice<UInt8> = []
    /// What it wrote behind the last line that was taken.
    private var received: [UInt8] = []
    /// How many of those belong to the last, unfinished line.
    private var searchedCount = 0

    /// The most that one line may have: 4 MiB. The vectors and the live cases have outputs of up to 64 KiB, in hexadecimal
    /// twice that; a trace may have as much once more, and a writer that escapes every character makes six of each: 1.5 MiB.
    package static let maximumLineByteCount = 4 << 20

    /// Starts the program, which is looked for along `PATH`. The command has at least a name.
    package init(_ command: [String]) throws(ChildProcessError) {
        var program = closer_program()
        let texts = command.flatMap { Array($0.utf8CString) }
        let error = unsafe texts.withUnsafeBufferPointer { texts in
            unsafe closer_start_program(texts.baseAddress, command.count, &program)
        }
        guard error == 0 else {
            throw .cannotStart(reason: unsafe String(cString: strerror(error)))
        }
        process = program.process
        input = Descriptor(number: program.input, name: "the program's input", closes: true)
        output = Descriptor(number: program.output, name: "the program's output", closes: true)
    }

    /// Sends a line and returns the next one that comes; newlines are added and removed.
    package func exchange(_ line: [UInt8], within limit: Duration) throws(ChildProcessError) -> [UInt8] {
        let deadline = ContinuousClock.now + limit
        // Waiting keeps unread lines from piling up with us.
        try sendRest(until: deadline)
        unsent = (line + [UInt8(ascii: "\n")])[...]
        while true {
            if let answer = takeLine() { return answer }
            try sendOrReceive(until: deadline)
        }
    }

    /// Sends a line and closes its input, upon which it should end by itself; gives it a second for either.
    package func end(with line: [UInt8]) {
        unsent += line + [UInt8(ascii: "\n")]
        // The rest stays unread: it is told by the end of its input alone.
        try? sendRest(until: .now + .seconds(1))
        input = nil
        _ = howItEnds()
    }

    private func sendRest(until deadline: ContinuousClock.Instant) throws(ChildProcessError) {
        while !unsent.isEmpty { try sendOrReceive(until: deadline) }
    }

    private func sendOrReceive(until deadline: ContinuousClock.Instant) throws(ChildProcessError) {
        guard received.count <= Self.maximumLineByteCount else { throw .lineTooLong }
        let ready = try wait(until: deadline)
        if ready.toReceive { try receive() }
        if ready.toSend { send() }
    }

    private func takeLine() -> [UInt8]? {
        guard let end = received[searchedCount...].firstIndex(of: UInt8(ascii: "\n")) else {
            searchedCount = received.count
            return nil
        }
        let line = Array(received[..<end])
        // In new memory: a long line would leave its own behind.
        received = Array(received[(end + 1)...])
        searchedCount = 0
        return line
    }

    /// Waits until something can be sent or received. Its output may be open in what it started, too: a second
    /// of silence is then enough.
    private func wait(
        until deadline: ContinuousClock.Instant
    ) throws(ChildProcessError) -> (toSend: Bool, toReceive: Bool) {
        let sending = unsent.isEmpty ? nil : input?.number
        while true {
            let rest = ContinuousClock.now.duration(to: deadline)
            guard rest > .zero else { throw .timedOut(unfinishedByteCount: unfinishedByteCount) }
            // A negative descriptor is passed over.
            var ends = [
                pollfd(fd: output.number, events: Int16(POLLIN), revents: 0),
                pollfd(fd: sending ?? -1, events: Int16(POLLOUT), revents: 0),
            ]
            let count = unsafe ends.withUnsafeMutableBufferPointer { ends in
                unsafe poll(ends.baseAddress, 2, Self.milliseconds(min(rest, .seconds(1))))
            }
            if count > 0 { return (ends[1].revents != 0, ends[0].revents != 0) }
            if count == 0, let ending { throw .ended(ending, unfinishedByteCount: unfinishedByteCount) }
        }
    }

    /// Rounded up, so that a wait is long enough.
    private static func milliseconds(_ duration: Duration) -> CInt {
        let (seconds, attoseconds) = duration.components
        return CInt(seconds) * 1000 + CInt(attoseconds / 1_000_000_000_000_000) + 1
    }

    /// What it wrote of an unfinished line.
    private var unfinishedByteCount: Int {
        received.count - (received.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0)
    }

    /// Sends what the pipe takes. If it was closed at the other end, what comes from there tells more.
    private func send() {
        let count = unsafe unsent.withUnsafeBufferPointer { bytes in
            unsafe closer_send_to_program(input?.number ?? -1, bytes.baseAddress, bytes.count)
        }
        let isOpen = count >= 0 || closer_errno() == EAGAIN || closer_errno() == EINTR
        unsent.removeFirst(isOpen ? max(0, count) : unsent.count)
    }

    private func receive() throws(ChildProcessError) {
        var isAtEnd = false
        do {
            try received.append(addingCapacity: 64 * 1024) { (output) throws(FileError) in
                isAtEnd = try !self.output.read(into: &output)
            }
        } catch { throw closed() }
        if isAtEnd { throw closed() }
    }

    /// It closed its output, most often because it ends: it has a second to do so.
    private func closed() -> ChildProcessError {
        guard let ending = howItEnds() else { return .closedOutput(unfinishedByteCount: unfinishedByteCount) }
        return .ended(ending, unfinishedByteCount: unfinishedByteCount)
    }

    /// In words; nil if it is still running after a second.
    private func howItEnds() -> String? {
        for _ in 0..<100 {
            if let ending { return ending }
            usleep(10_000)
        }
        return nil
    }

    /// How it ended, in words; nil as long as it runs.
    private var ending: String? {
        let status = closer_end_of_program(process)
        guard status != CInt(CLOSER_STILL_RUNNING) else { return nil }
        return status >= 0 ? "with exit code \(status)" : "by signal \(-status)"
    }

    deinit { closer_end_program(process) }
}

/// Why a line is missing; and how many bytes of it came.
package enum ChildProcessError: Error, Equatable, Sendable {
    /// In the system's own word.
    case cannotStart(reason: String)
    case timedOut(unfinishedByteCount: Int)
    /// The words say how.
    case ended(String, unfinishedByteCount: Int)
    /// It runs on.
    case closedOutput(unfinishedByteCount: Int)
    case lineTooLong
}
