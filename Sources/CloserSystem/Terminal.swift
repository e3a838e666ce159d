internal import CCloserSystem
package import CloserFiles

/// The person in front of the program, wherever its input and output go.
package struct Terminal: ~Copyable {
    private let descriptor: Descriptor

    /// Nil without a controlling terminal.
    package static func open() -> Terminal? {
        let number = unsafe closer_open("/dev/tty", O_RDWR | O_CLOEXEC, 0)
        guard number >= 0 else { return nil }
        return Terminal(descriptor: Descriptor(number: number, name: "the terminal", closes: true))
    }

    package func show(_ text: Span<UInt8>) throws(FileError) { try descriptor.write(text) }

    package func show(_ text: String) throws(FileError) {
        let bytes = Array(text.utf8)[...]
        try descriptor.write(bytes.span)
    }

    /// Asks, and appends the line that is typed, without its newline. If it `hides`, it is typed unseen. False if the input ended
    /// instead.
    ///
    /// The whole line is taken, also a too long one: its tail would go to the shell, which would run it.
    ///
    /// - Throws: ``FileError``: `.tooLarge` for a line that has no room beside its newline.
    package func ask(
        _ question: String, hides: Bool = true, into answer: inout OutputSpan<UInt8>
    ) throws(FileError) -> Bool {
        let (room, start, text) = (answer.freeCapacity, answer.count, Array(question.utf8))
        let isAsked = unsafe text.withUnsafeBytes { text in
            unsafe closer_ask(descriptor.number, text.baseAddress, text.count, hides)
        }
        guard isAsked else { throw unreadable }
        defer { closer_end_asking(hides ? 0 : answer.count - start) }
        let (isEnded, fits) = try readLine(into: &answer)
        if hides || isEnded { try show("\n") }
        guard fits else { throw .tooLarge(path: descriptor.name, maximumByteCount: room - 1) }
        guard answer.endsWithNewline else { return !isEnded || !answer.isEmpty }
        _ = answer.removeLast()
        return true
    }

    /// Shows nothing of what is typed while `body` runs. If that fails, what was typed meanwhile is dropped: it may be a secret.
    package func hiding<Result: ~Copyable>(_ body: () throws -> Result) throws -> Result {
        guard closer_begin_hiding(descriptor.number) else { throw unreadable }
        var forgets = true
        defer { closer_end_hiding(forgets) }
        let result = try body()
        forgets = false
        return result
    }

    /// Whether what was shown can be erased. A terminal without a name, or a dumb one, would show the command instead.
    package var erases: Bool { Environment.variable("TERM").map { $0 != "dumb" } ?? false }

    /// Erases a page after `body`, which shows it and asks at most one question, and also if the process stops or ends meanwhile. What
    /// is above it stays. Where nothing can be erased, the page stays, too.
    package func erasing<Result: ~Copyable>(
        _ page: Span<UInt8>, afterwards body: (_ show: () throws(FileError) -> Void) throws -> Result
    ) throws -> Result {
        guard erases else { return try body { () throws(FileError) in try show(page) } }
        return try unsafe page.withUnsafeBufferPointer { text in
            guard unsafe closer_begin_page(descriptor.number, text.baseAddress, text.count) else {
                throw unreadable
            }
            defer { closer_end_page() }
            return try body { () throws(FileError) in
                guard closer_show_page() else {
                    throw .writeFailed(path: descriptor.name, reason: FileError.lastReason)
                }
            }
        }
    }

    private var unreadable: FileError { .readFailed(path: descriptor.name, reason: FileError.lastReason) }

    /// Reads to the newline or the end. A line that does not fit overwrites itself. A terminal gives at most one line at a time.
    private func readLine(into line: inout OutputSpan<UInt8>) throws(FileError) -> (isEnded: Bool, fits: Bool)
    {
        let start = line.count
        var fits = true
        while true {
            if line.freeCapacity == 0 {
                fits = false
                line.removeLast(line.count - start)
            }
            guard try descriptor.read(into: &line) else { return (true, fits) }
            if line.endsWithNewline { return (false, fits) }
        }
    }
}

extension OutputSpan where Element == UInt8 {
    fileprivate var endsWithNewline: Bool { !isEmpty && self[count - 1] == UInt8(ascii: "\n") }
}
