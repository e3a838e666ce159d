internal import CCloserFiles

/// An open file that closes with its owner, or one of the three standard ones, which stay open.
package struct Descriptor: ~Copyable, Sendable {
    /// For messages: the path, or what the stream is called.
    package let name: String
    package let number: Int32
    private let closes: Bool

    package static var standardInput: Descriptor {
        Descriptor(number: 0, name: "standard input", closes: false)
    }
    package static var standardOutput: Descriptor {
        Descriptor(number: 1, name: "standard output", closes: false)
    }
    package static var standardError: Descriptor {
        Descriptor(number: 2, name: "standard error", closes: false)
    }

    /// Opens a file for reading. A terminal does not become ours by that.
    package static func reading(_ path: String) throws(FileError) -> Descriptor {
        let number = Self.open(path, O_RDONLY)
        guard number >= 0 else { throw .cannotOpen(path: path, reason: FileError.lastReason) }
        let descriptor = Descriptor(number: number, name: path, closes: true)
        guard descriptor.status?.isDirectory != true else {
            throw .cannotOpen(path: path, reason: "is a directory")
        }
        return descriptor
    }

    /// Opens a regular file for reading, at once: a FIFO is refused. Nil if something else is there.
    package static func readingRegular(_ path: String) throws(FileError) -> Descriptor? {
        let number = Self.open(path, O_RDONLY | O_NONBLOCK)
        guard number >= 0 else { throw .cannotOpen(path: path, reason: FileError.lastReason) }
        let descriptor = Descriptor(number: number, name: path, closes: true)
        guard descriptor.status?.isRegular == true else { return nil }
        return descriptor
    }

    /// One that the parent process opened for this one. It stays open.
    package static func inherited(_ number: Int32) -> Descriptor {
        Descriptor(number: number, name: "file descriptor \(number)", closes: false)
    }

    /// Takes over an open descriptor.
    package init(number: Int32, name: String, closes: Bool) {
        (self.number, self.name, self.closes) = (number, name, closes)
    }

    package var isTerminal: Bool { isatty(number) == 1 }

    /// The size of a regular file; nil for a pipe or a device.
    package var regularByteCount: Int? {
        guard let status, status.isRegular else { return nil }
        return status.byteCount
    }

    /// Whether it is a regular file that others than its owner may read.
    package var isOpenToOthers: Bool {
        guard let status, status.isRegular else { return false }
        return status.mode & 0o004 != 0 || status.mode & 0o040 != 0 && closer_is_read_by_group(number)
    }

    /// Whether it is a regular file of another user, who may read it; root may read all.
    package var isOfAnother: Bool {
        status.map { $0.isRegular && ![0, geteuid()].contains($0.owner) } ?? false
    }

    /// What tells two names of one file apart from two files.
    package var identity: FileIdentity? { status?.identity }

    /// Appends what one call gives, at most the free room; false at the end.
    package func read(into output: inout OutputSpan<UInt8>) throws(FileError) -> Bool {
        let room = output.freeCapacity
        let count = unsafe output.withUnsafeMutableBufferPointer { buffer, used in
            guard let base = buffer.baseAddress else { return 0 }
            let count = retrying(once: POLLIN) { unsafe closer_read(number, base + used, room) }
            used += max(0, count)
            return count
        }
        guard count >= 0 else { throw .readFailed(path: name, reason: FileError.lastReason) }
        return count > 0
    }

    /// Writes all of `bytes`.
    package func write(_ bytes: Span<UInt8>) throws(FileError) {
        var rest = bytes
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBufferPointer { buffer in
                retrying(once: POLLOUT) { unsafe closer_write(number, buffer.baseAddress, buffer.count) }
            }
            guard count > 0 else { throw .writeFailed(path: name, reason: FileError.lastReason) }
            rest = rest.extracting(droppingFirst: count)
        }
    }

    /// Waits until the bytes are on the disk.
    func synchronize() throws(FileError) {
        guard retrying({ Int(fsync(number)) }) == 0 else {
            throw .writeFailed(path: name, reason: FileError.lastReason)
        }
    }

    var status: FileStatus? { FileStatus(descriptor: number) }

    /// A pipe that was handed down to us may not wait by itself: then we do, for the `event`.
    private func retrying(once event: Int32? = nil, _ call: () -> Int) -> Int {
        while true {
            let count = call()
            guard count < 0 else { return count }
            switch (errno, event) {
            case (EINTR, _): continue
            case (EAGAIN, .some(let event)): wait(for: event)
            default: return count
            }
        }
    }

    /// Some systems cannot watch a terminal: there, a moment passes.
    private func wait(for event: Int32) {
        var place = pollfd(fd: number, events: Int16(event), revents: 0)
        let count = unsafe poll(&place, 1, -1)
        let isSeen = count > 0 && Int32(place.revents) & POLLNVAL == 0
        if !isSeen, count >= 0 || errno != EINTR { usleep(10_000) }
    }

    /// The number of a new descriptor, or -1. A terminal does not become ours, and no child inherits it.
    static func open(_ path: String, _ flags: CInt, _ mode: mode_t = 0) -> CInt {
        while true {
            let number = unsafe closer_open(path, flags | O_CLOEXEC | O_NOCTTY, mode)
            if number >= 0 || errno != EINTR { return number }
        }
    }

    /// The number of a file's descriptor that is made if it is missing, or -1. Its owner may read and write it under any umask.
    static func create(_ path: String, _ flags: CInt) -> CInt {
        let number = open(path, flags | O_RDWR | O_CREAT, 0o600)
        guard number >= 0, let status = FileStatus(descriptor: number) else { return number }
        if status.mode & 0o600 != 0o600 { fchmod(number, 0o600) }
        return number
    }

    deinit {
        if closes { close(number) }
    }
}
