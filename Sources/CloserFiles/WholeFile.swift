internal import CCloserFiles

/// A regular file that was read whole.
package struct WholeFile: Sendable {
    package let bytes: [UInt8]
    private let status: FileStatus

    /// All bytes of a regular file, as they are at one moment if its writers replace it whole; nil if there is none.
    ///
    /// A FIFO, a device or a folder is `.cannotOpen`, at once. The size is checked before
    /// any memory is taken.
    package init?(_ path: String, maximumByteCount: Int) throws(FileError) {
        let number = Descriptor.open(path, O_RDONLY | O_NONBLOCK)
        guard number >= 0 else {
            let error = errno
            if [ENOENT, ENOTDIR].contains(error), Paths.isMissing(path) { return nil }
            throw .cannotOpen(
                path: path, reason: error == ENOENT ? "is a link to nothing" : FileError.reason(error))
        }
        let file = Descriptor(number: number, name: path, closes: true)
        guard let status = file.status, status.isRegular else {
            throw .cannotOpen(path: path, reason: "is not a regular file")
        }
        guard status.byteCount <= maximumByteCount else {
            throw .tooLarge(path: path, maximumByteCount: maximumByteCount)
        }
        self.status = status
        bytes = try Self.readAll(file, status.byteCount, maximumByteCount)
    }

    /// Whether the path still leads to this file, and inode, size, mode, owner and the time of the last change are what they were. Two
    /// changes within one tick of the system's clock look like one.
    package func isUnchanged(at path: String) -> Bool { (try? FileStatus.look(path)) == status }

    // One byte more than the size shows a file that grows while it is read.
    private static func readAll(
        _ file: borrowing Descriptor, _ expected: Int, _ maximumByteCount: Int
    ) throws(FileError) -> [UInt8] {
        var bytes: [UInt8] = []
        var room = expected + 1
        var isAtEnd = false
        while !isAtEnd {
            try bytes.append(addingCapacity: room) { (output) throws(FileError) in
                isAtEnd = try !file.read(into: &output)
            }
            guard bytes.count <= maximumByteCount else {
                throw .tooLarge(path: file.name, maximumByteCount: maximumByteCount)
            }
            // What was expected fits into the room that is there already; a file that grows needs more.
            let more = expected + 1 - bytes.count
            room = more > 0 ? more : max(1, min(64 * 1024, maximumByteCount + 1 - bytes.count))
        }
        return bytes
    }
}
