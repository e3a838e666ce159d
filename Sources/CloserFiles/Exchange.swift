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

// A file takes the place of another one, which somebody else may change at any moment.

extension SafeFile {
    /// Makes what was written appear, after ``prepare()`` and at once: nothing waits for the disk before it appears. If it does not,
    /// it can be discarded. Gives the file as it was when it had these `bytes`, which are all that was written.
    ///
    /// With `old` it takes the place of a file with these bytes and of no other, where the file system can exchange two names.
    package func appear(
        holding bytes: Span<UInt8>, inPlaceOf old: [UInt8]? = nil
    ) throws(Unappeared) -> FileState? {
        guard let temporary else { return nil }
        guard let state = descriptor.status?.state else { throw Unappeared(cause: unseen, fate: .never) }
        guard descriptor.holds(bytes) else { throw Unappeared(cause: writtenInto, fate: .never) }
        if let old, try canExchange(with: temporary) {
            try checkExchanged(old, bytes)
        } else {
            do { try publish(temporary) } catch { throw Unappeared(cause: error, fate: .never) }
            guard descriptor.holds(bytes) else { throw spoiled }
        }
        entry.folder.synchronize(with: descriptor)
        return state
    }

    /// Why a file is not in its place.
    package struct Unappeared: Error, Equatable {
        package let cause: FileError
        package let fate: Fate
    }

    /// Whether others may have seen it there.
    package enum Fate: Sendable {
        case never
        /// It was there for a moment, and what it had replaced is there again.
        case takenBack
        /// It was there for a moment, and what somebody put there next, or wrote into it, may have come of it.
        case overtaken
    }

    /// Exchanges the names, or false if the file system cannot. If the name was gone for a moment, that is somebody's doing, and what
    /// comes there next is theirs.
    private func canExchange(with temporary: FolderEntry) throws(Unappeared) -> Bool {
        guard !exchange(with: temporary) else { return true }
        let (error, reason) = (errno, FileError.lastReason)
        guard !Self.isWithoutExchange(error) else { return false }
        guard error == ENOENT, temporary.holds(identity) else {
            throw Unappeared(cause: .cannotCreate(path: entry.path, reason: reason), fate: .never)
        }
        throw Unappeared(cause: changedMeanwhile, fate: .never)
    }

    /// Whether an error says that the file system cannot exchange names.
    static func isWithoutExchange(_ error: CInt) -> Bool { [ENOSYS, EINVAL, ENOTSUP].contains(error) }

    private var changedMeanwhile: FileError {
        .cannotCreate(path: entry.path, reason: "Somebody else changed it meanwhile")
    }

    /// Looks at what is in the place now, and at what came out. What came out for a file into which somebody else wrote goes back, and so
    /// does what somebody else put there at the last moment. What somebody has taken away by now is theirs, and the file is in its place.
    func checkExchanged(_ old: [UInt8], _ bytes: Span<UInt8>) throws(Unappeared) {
        guard let temporary else { return }
        guard descriptor.holds(bytes) else { throw takeBack(to: temporary, writtenInto) }
        guard let isOld = temporary.hasBytes(old.span) else { return }
        guard isOld else { throw takeBack(to: temporary, changedMeanwhile) }
        // What was deleted or locked anew would stay beside the vault.
        guard temporary.remove() else {
            throw takeBack(to: temporary, .cannotCreate(path: entry.path, reason: FileError.lastReason))
        }
    }

    /// What it replaced is gone, if it replaced anything.
    private var spoiled: Unappeared {
        if !replaces { remove(identity) }
        return Unappeared(cause: writtenInto, fate: replaces ? .overtaken : .takenBack)
    }

    private func takeBack(to temporary: FolderEntry, _ cause: FileError) -> Unappeared {
        guard exchange(with: temporary), temporary.holds(identity),
            !isInPlace
        else {
            // Something newer came into the place meanwhile, and that is what came out: it goes back, too. Or both names are links to
            // ours, which no exchange takes away.
            _ = exchange(with: temporary)
            return Unappeared(cause: overtaken(temporary), fate: .overtaken)
        }
        return Unappeared(cause: cause, fate: .takenBack)
    }

    /// What somebody put there may have come out, and could not go back.
    private func overtaken(_ temporary: FolderEntry) -> FileError {
        let isLeft: String
        do throws(FileError) {
            guard let file = try temporary.look(), file.identity != identity else { return changedMeanwhile }
            isLeft = "is"
        } catch { isLeft = "may be" }
        return .cannotCreate(
            path: entry.path,
            reason:
                "Somebody else changed it meanwhile, and the file that was there \(isLeft) now called \(temporary.path)"
        )
    }

    func exchange(with temporary: FolderEntry) -> Bool {
        unsafe closer_exchange(entry.folder.number, temporary.name, entry.name) == 0
    }

    /// Whether the file has its name, whoever gave it that.
    package var isInPlace: Bool { entry.holds(identity) }

    /// Removes what did not appear. Somebody may have given it another name by then, or have a copy.
    package func discard() {
        guard let temporary else { return }
        if temporary.holds(identity) { temporary.remove() }
    }
}
