internal import CCloserSystem
package import CloserFiles

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// The person in front of the program, wherever its input and output go.
package struct Terminal: ~Copyable {
    private let descriptor: Descriptor

    /// Nil when there is nobody: no controlling terminal.
    package static func open() -> Terminal? {
        let number = Self.openDevice("/dev/tty", O_RDWR | O_CLOEXEC)
        guard number >= 0 else { return nil }
        return Terminal(descriptor: Descriptor(number: number, name: "the terminal", closes: true))
    }

    /// Shows text.
    package func show(_ text: Span<UInt8>) throws(FileError) { try descriptor.write(text) }

    /// Shows text.
    package func show(_ text: String) throws(FileError) { try descriptor.write(Array(text.utf8).span) }

    /// Appends a line without its newline, and shows nothing of it. What does not fit is cut off.
    package func readHiddenLine(into output: inout OutputSpan<UInt8>) throws(FileError) {
        guard closer_hide_input(descriptor.number) else {
            throw .readFailed(path: descriptor.name, reason: FileError.lastReason)
        }
        defer { closer_show_input() }
        // A terminal gives at most one line at a time.
        while output.freeCapacity > 0, try descriptor.read(into: &output), !output.endsWithNewline {}
        if output.endsWithNewline { _ = output.removeLast() }
        try show("\n")
    }

    private static func openDevice(_ path: String, _ flags: CInt) -> CInt {
        #if canImport(Glibc)
            unsafe Glibc.open(path, flags)
        #else
            unsafe Darwin.open(path, flags)
        #endif
    }
}

extension OutputSpan where Element == UInt8 {
    fileprivate var endsWithNewline: Bool { !isEmpty && self[count - 1] == UInt8(ascii: "\n") }
}
