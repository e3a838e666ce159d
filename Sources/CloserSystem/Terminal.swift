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

    /// Shows text.
    package func show(_ text: Span<UInt8>) throws(FileError) { try descriptor.write(text) }

    /// Shows text.
    package func show(_ text: String) throws(FileError) {
        let bytes = Array(text.utf8)[...]
        try descriptor.write(bytes.span)
    }

    /// Asks, and appends the line that is typed, without its newline, unseen. False if the input ended instead.
    ///
    /// The whole line is taken, also a too long one: its tail would go to the shell, which would run it.
    ///
    /// - Throws: ``FileError``: `.tooLarge` for a line that has no room beside its newline.
    package func ask(
        _ question: String, into answer: inout OutputSpan<UInt8>
    ) throws(FileError) -> Bool {
        let (room, text) = (answer.freeCapacity, Array(question.utf8))
        let isAsked = unsafe text.withUnsafeBytes { text in
            unsafe closer_ask_hidden(descriptor.number, text.baseAddress, text.count)
        }
        guard isAsked else { throw .readFailed(path: descriptor.name, reason: FileError.lastReason) }
        defer { closer_end_asking() }
        let (isEnded, fits) = try readLine(into: &answer)
        try show("\n")
        guard fits else { throw .tooLarge(path: descriptor.name, maximumByteCount: room - 1) }
        guard answer.endsWithNewline else { return !isEnded || !answer.isEmpty }
        _ = answer.removeLast()
        return true
    }

    /// Erases the screen after `body` has shown what must not stay there, and also if the process ends meanwhile.
    ///
    /// A terminal without a name, or a dumb one, would show the command instead: there, what was shown stays.
    package func erasingAfterwards(_ body: () throws -> Void) throws {
        guard let kind = Environment.variable("TERM"), kind != "dumb" else { return try body() }
        // From the top left corner to the end: to erase "all" makes some terminals keep it to be scrolled back to.
        let erasure = Array("\u{1B}[H\u{1B}[J".utf8)[...]
        unsafe erasure.withUnsafeBytes { text in
            unsafe closer_begin_erasable(descriptor.number, text.baseAddress, text.count)
        }
        defer { closer_end_erasable() }
        do { try body() } catch {
            try? show(erasure.span)
            throw error
        }
        try show(erasure.span)
    }

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
