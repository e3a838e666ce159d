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
        let isOfSystem = path.hasPrefix("/dev/") || path.hasPrefix("/proc/")
        guard isOfSystem || status?.isLink != true else {
            throw .cannotCreate(path: path, reason: "Is a link to what is no file")
        }
        let flags = O_WRONLY | O_NOCTTY | (isOfSystem ? 0 : O_NOFOLLOW)
        let number = open(flags | O_NONBLOCK)
        guard number < 0, errno == ENXIO, let status = statusOfTarget, status.isFIFO else { return number }
        guard status.isOursOrRoots else { throw .foreign(path: path) }
        return open(flags)
    }

    private func checkDirect(_ descriptor: borrowing Descriptor) throws(FileError) {
        guard let status = descriptor.status else {
            throw .cannotCreate(path: path, reason: FileError.lastReason)
        }
        guard !status.isRegular else { throw .exists(path: path) }
        guard status.isCharacterDevice || status.isFIFO || status.isSocket else {
            throw .cannotCreate(path: path, reason: "is neither a file nor a pipe")
        }
        guard descriptor.isTrusted(status) else { throw .foreign(path: path) }
    }
}

extension Descriptor {
    /// Whether no stranger has put it in our way. A pipe or a terminal of another user is trusted only if whoever started us gave
    /// it to us, or if the person who started us sits there.
    fileprivate func isTrusted(_ status: FileStatus) -> Bool {
        if status.isOursOrRoots || (status.isCharacterDevice && !isTerminal) { return true }
        return isInherited(status.identity) || (isTerminal && tcgetsid(number) == getsid(0))
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
