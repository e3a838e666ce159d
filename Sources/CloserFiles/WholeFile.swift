#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Android)
    internal import Android
#else
    internal import Darwin
#endif

/// Regular files that are read whole.
package enum WholeFile {
    /// All bytes of a regular file, as they are at one moment if whoever writes it replaces it whole; nil if there is none.
    ///
    /// A FIFO, a device or a folder is `.cannotOpen`, at once: nothing waits for its other end. The size is checked before
    /// any memory is taken.
    package static func read(_ path: String, maximumByteCount: Int) throws(FileError) -> [UInt8]? {
        guard try FileStatus.look(path)?.isRegular ?? true else { throw irregular(path) }
        let number = Descriptor.open(path, O_RDONLY | O_NONBLOCK)
        guard number >= 0 else {
            let error = errno
            if [ENOENT, ENOTDIR].contains(error), try !SafeFile.exists(path) { return nil }
            throw .cannotOpen(path: path, reason: FileError.reason(error))
        }
        return try read(Descriptor(number: number, name: path, closes: true), maximumByteCount)
    }

    static func irregular(_ path: String) -> FileError {
        .cannotOpen(path: path, reason: "is not a regular file")
    }

    /// All bytes of a regular file that is open.
    static func read(
        _ descriptor: borrowing Descriptor, _ maximumByteCount: Int
    ) throws(FileError) -> [UInt8] {
        let path = descriptor.name
        guard let expected = descriptor.regularByteCount else {
            throw irregular(path)
        }
        guard expected <= maximumByteCount else {
            throw .tooLarge(path: path, maximumByteCount: maximumByteCount)
        }
        return try readAll(descriptor, expected, maximumByteCount)
    }

    // One byte more than the size shows a file that grows while it is read.
    private static func readAll(
        _ descriptor: borrowing Descriptor, _ expected: Int, _ maximumByteCount: Int
    ) throws(FileError) -> [UInt8] {
        var bytes: [UInt8] = []
        var room = expected + 1
        var isAtEnd = false
        while !isAtEnd {
            try bytes.append(addingCapacity: room) { (output) throws(FileError) in
                isAtEnd = try !descriptor.read(into: &output)
            }
            guard bytes.count <= maximumByteCount else {
                throw .tooLarge(path: descriptor.name, maximumByteCount: maximumByteCount)
            }
            // What was expected fits into the room that is there already; a file that grows needs more.
            let more = expected + 1 - bytes.count
            room = more > 0 ? more : max(1, min(64 * 1024, maximumByteCount + 1 - bytes.count))
        }
        return bytes
    }
}
