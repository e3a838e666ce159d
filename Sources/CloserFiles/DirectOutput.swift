internal import CCloserFiles

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Android)
    internal import Android
#else
    internal import Darwin
#endif

// Pipes, terminals, and devices like `/dev/null`: they are not files, so each byte is written at once.

extension FolderEntry {
    /// Opens a pipe, a terminal or a device for writing.
    ///
    /// The name may lead elsewhere by now, so it is what was opened that says what it is: a regular file is `.exists`, as it was
    /// before, and another user's pipe is `.foreign`.
    func openDirectly() throws(FileError) -> Descriptor {
        let number = try openForWriting()
        guard number >= 0 else { throw .cannotCreate(path: path, reason: FileError.lastReason) }
        let descriptor = Descriptor(number: number, name: path, closes: true)
        try checkDirect(descriptor)
        guard closer_wait_for(number) == 0 else {
            throw .cannotCreate(path: path, reason: FileError.lastReason)
        }
        return descriptor
    }

    /// Makes nothing, empties nothing, and waits only for the reader of a FIFO that is not another user's.
    ///
    /// A link is followed only where the system has them, as `/dev/stdout` is one: whoever can write the folder could lead a secret
    /// to a log, or to nowhere.
    private func openForWriting() throws(FileError) -> CInt {
        let isLink = try look()?.isLink ?? false
        guard isOfSystem || !isLink else {
            throw .cannotCreate(path: path, reason: "Is a link to what is no file")
        }
        let flags = O_WRONLY | O_NOCTTY | (isOfSystem ? 0 : O_NOFOLLOW)
        let number = open(flags | O_NONBLOCK)
        guard number < 0, errno == ENXIO else { return number }
        guard let status = try look(followingLinks: true), status.isFIFO else {
            errno = ENXIO
            return number
        }
        guard status.isOursOrRoots else { throw .foreign(path: path) }
        return open(flags)
    }

    /// Whether it is one of the names by which a system calls open descriptors and its own devices. Others can write some folders
    /// below `/dev`.
    var isOfSystem: Bool {
        let devices = ["stdin", "stdout", "stderr", "tty", "null", "zero", "full"].map { "/dev/\($0)" }
        return devices.contains { path.utf8.elementsEqual($0.utf8) } || isDescriptor
    }

    /// Whether it names an open descriptor by its number.
    private var isDescriptor: Bool {
        ["/dev/fd/", "/proc/self/fd/"].contains { prefix in
            let (bytes, start) = (Array(path.utf8), Array(prefix.utf8))
            let isNumber =
                !bytes.dropFirst(start.count).isEmpty
                && bytes.dropFirst(start.count).allSatisfy {
                    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
                }
            return bytes.starts(with: start) && isNumber
        }
    }

    private func checkDirect(_ descriptor: borrowing Descriptor) throws(FileError) {
        guard let status = descriptor.status else {
            throw .cannotCreate(path: path, reason: FileError.lastReason)
        }
        guard !status.isRegular else { throw .exists(path: path) }
        guard status.isCharacterDevice || status.isFIFO || status.isSocket else {
            throw .cannotCreate(path: path, reason: "is neither a file nor a pipe")
        }
        guard descriptor.isTrusted(status, isGiven: isOfSystem) else { throw .foreign(path: path) }
    }
}

extension Descriptor {
    /// Whether no stranger has put it in our way. A pipe or a terminal of another user is trusted only if whoever started us gave
    /// it to us and the name says so, or if the person who started us sits there.
    fileprivate func isTrusted(_ status: FileStatus, isGiven: Bool) -> Bool {
        if status.isOursOrRoots || (status.isCharacterDevice && !isTerminal) { return true }
        return (isGiven && isInherited(status.identity)) || (isTerminal && tcgetsid(number) == getsid(0))
    }

    // `/dev/stdout` and `/dev/fd/3` open anew what is open for writing already. What we read is no output: it may be a stranger's.
    private func isInherited(_ identity: FileIdentity) -> Bool {
        (0..<1024).contains {
            $0 != number && FileStatus(descriptor: $0)?.identity == identity && isForWriting($0)
        }
    }

    private func isForWriting(_ number: CInt) -> Bool {
        let flags = fcntl(number, F_GETFL)
        return flags >= 0 && flags & O_ACCMODE != O_RDONLY
    }
}

extension FileStatus {
    fileprivate var isOursOrRoots: Bool { owner == geteuid() || owner == 0 }
    fileprivate var isFIFO: Bool { mode & S_IFMT == S_IFIFO }
    fileprivate var isSocket: Bool { mode & S_IFMT == S_IFSOCK }
    fileprivate var isCharacterDevice: Bool { mode & S_IFMT == S_IFCHR }
}
