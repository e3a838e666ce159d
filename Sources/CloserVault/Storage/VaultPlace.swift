internal import CloserFiles

// A vault's file in its place: read and written whole.

/// A file that did not get into its place.
struct Unstored: Error {
    let cause: VaultError
    /// Whether any of it was written. Whoever can read the folder may have it, or a copy, and it need not be whole: what the change left
    /// as it was is in the former file, too, so that an end can be made of that.
    let wasBegun: Bool
    /// Whether others may have seen it in its place.
    var fate = SafeFile.Fate.never
}

extension Unstored {
    /// Of a file that was begun. Whoever put it into its place themselves has made the change, whatever we were told.
    fileprivate init(
        discarding file: borrowing SafeFile, _ cause: VaultError, _ fate: SafeFile.Fate = .never
    ) {
        file.discard()
        self.init(cause: cause, wasBegun: true, fate: file.isInPlace ? .overtaken : fate)
    }
}

extension Place {
    /// Where a vault is.
    init(ofVault path: String) throws(VaultError) {
        do { try self.init(path) } catch {
            guard !SafeFile.isMissing(path) else { throw .missing(path: path) }
            throw VaultError(error)
        }
    }

    /// Where a vault may be made.
    init(ofNewVault path: String) throws(VaultError) {
        do { try self.init(path) } catch { throw .cannotWrite(path: path, reason: error.reason) }
    }

    /// Checks that there is nothing, and no link to nothing. The path is asked, too: a link that led here may be
    /// gone by now.
    func checkAbsent() throws(VaultError) {
        let path = entry.path
        let isLink: Bool
        let isThere: Bool
        do { (isLink, isThere) = (try SafeFile.isLink(path), try entry.look() != nil) } catch {
            throw .cannotWrite(path: path, reason: error.reason)
        }
        guard isAsNamed || isFolder, !isLink else { throw .cannotWrite(path: path, reason: "Is a link") }
        guard isThere else { return }
        _ = try VaultFile(content(), path: path)
        throw .exists(path: path)
    }

    /// The file as it is, unless the folder that holds it has lost its name: what is done there counts nowhere.
    func content(maximumByteCount: Int = Vault.maximumByteCount) throws(VaultError) -> [UInt8] {
        let bytes: [UInt8]?
        do { bytes = try entry.read(maximumByteCount: maximumByteCount) } catch {
            throw VaultError(error)
        }
        guard isNamed else { throw folderMoved }
        guard let bytes else { throw .missing(path: entry.path) }
        return bytes
    }

    /// Whether the file still has these bytes and no others.
    func isStill(_ bytes: [UInt8]) throws(VaultError) -> Bool {
        let isThere = entry.hasBytes(bytes.span)
        guard isNamed else { throw folderMoved }
        return isThere ?? false
    }

    private var folderMoved: VaultError {
        .cannotRead(path: entry.path, reason: "Its folder was moved or exchanged")
    }

    /// Waits until nobody else writes; nil if that takes longer than `patience`.
    func lock(_ patience: Duration) throws(VaultError) -> FileLock? {
        do { return try FileLock.acquire(entry.beside(".lock"), patience: patience) } catch {
            throw VaultError(error)
        }
    }

    /// Why nothing was stored.
    var changedMeanwhile: VaultError {
        .cannotWrite(path: entry.path, reason: "Somebody else changed it meanwhile")
    }

    /// Writes the whole file under another name, waits for the disk, has a last look, and puts it in the place of the file whose bytes
    /// `lastLook` gives. Gives the new file as it was then.
    func put(
        _ bytes: [UInt8], replacing: Bool, _ lastLook: () throws(VaultError) -> [UInt8]?
    ) throws(Unstored) -> FileState? {
        let file: SafeFile
        do { file = try SafeFile(entry, replacing: replacing) } catch {
            throw Unstored(cause: VaultError(error), wasBegun: false)
        }
        let old: [UInt8]?
        do throws(VaultError) {
            do {
                try file.write(bytes.span)
                try file.prepare()
            } catch { throw VaultError(error) }
            old = try lastLook()
        } catch { throw Unstored(discarding: file, error) }
        do { return try file.appear(holding: bytes.span, inPlaceOf: old) } catch {
            throw Unstored(discarding: file, VaultError(error.cause), error.fate)
        }
    }
}
