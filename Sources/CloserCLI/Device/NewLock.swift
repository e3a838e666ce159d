internal import ArgumentParser
internal import CloserFiles
internal import CloserPrimitives
internal import CloserVault
internal import CloserWire

// How a vault is locked when it is new, or gets a new lock.

extension VaultOptions {
    /// The path for a new vault, which no output may take. Makes the folder if it is the default one.
    func newPath(_ inputs: inout Inputs) throws -> String {
        let path = try path
        let folder = SafeFile.folder(of: path)
        if named == nil { try Folder.make(folder) }
        guard !SafeFile.isMissing(folder) else {
            throw Failure(.cantCreate, "cannot create \(path): there is no folder \(folder)")
        }
        try inputs.naming(at: path) { try Vault.checkAbsent(at: path) }
        inputs.claim(Vault.files(at: path))
        return path
    }

    /// The lock for a new vault.
    func newLock(_ inputs: inout Inputs) throws -> NewLock {
        try inputs.newLock(keyFile, passphrase.source, for: try path)
    }

    /// Remembers where the new vault and its key file are.
    func remember(_ vault: Vault, _ key: borrowing NewKeyFile) throws {
        try KnownVault.remember(new: vault, keyFile: key.place)
    }
}

extension Inputs {
    /// A key file, which is made if it is missing, or else a passphrase. No output of this run takes the key file's place.
    mutating func newLock(
        _ keyFile: String?, _ passphrase: SecretSource, for vault: String
    ) throws -> NewLock {
        guard let keyFile else {
            return NewLock(
                keyFile: nil, place: nil, secret: try newPassphrase(passphrase, "passphrase for \(vault)"),
                file: nil)
        }
        guard passphrase.asks else {
            throw Failure(.usage, "lock with a key file or with a passphrase, not both")
        }
        try Self.checkNamed(keyFile)
        // Each change replaces the vault's own files, and would replace a key file there.
        let taken = Vault.files(at: vault).flatMap(FileIdentity.all)
        guard !FileIdentity.all(of: keyFile).contains(where: taken.contains) else {
            throw FileError.isInput(path: keyFile)
        }
        let place = Folder.placePath(of: keyFile)
        guard try !SafeFile.isOccupied(keyFile) else {
            return NewLock(keyFile: keyFile, place: place, secret: try self.keyFile(keyFile), file: nil)
        }
        let file = try Sink(file: keyFile, .secret, inputs: self)
        claim(file)
        return NewLock(
            keyFile: keyFile, place: place, secret: .random(count: Unlocking.keyFileByteCount), file: file)
    }
}

/// What a vault is about to be locked with: a key file, or the passphrase that was typed.
struct NewLock: ~Copyable {
    /// Nil for a passphrase.
    fileprivate let keyFile: String?
    /// See ``NewKeyFile``.
    fileprivate let place: String?
    /// The passphrase, or what is in the key file.
    fileprivate let secret: SecretBytes
    /// A key file that is to be made.
    fileprivate var file: Sink?

    /// Lends the lock to `change`, with which the vault takes it.
    ///
    /// A missing key file is made first: a vault without its key would be lost. If the change fails, the file stays: somebody else may
    /// have locked a vault with it meanwhile.
    /// The change is lent the key, too, to find out whether its file is still there once it is made: somebody who can write its folder
    /// may have taken it away.
    consuming func use<Result>(
        _ change: (borrowing Unlocking, borrowing NewKeyFile) throws -> Result
    ) throws -> Result {
        guard let keyFile else {
            return try change(.passphrase(secret), NewKeyFile(bytes: nil, path: "", place: nil))
        }
        let key = NewKeyFile(bytes: secret.copy(), path: keyFile, place: place)
        let isNew = try make()
        if place == nil {
            Messages.warn(
                "this machine cannot remember where the key file \(keyFile) is: name it each time with --key-file"
            )
        }
        if !isNew {
            try Messages.warnBefore(
                "\(keyFile) was there before: whoever made it, or has a copy, can open the vault")
        }
        // With these bytes: the file of that name may be somebody else's by now.
        do { return try change(.key(secret), key) } catch let taken as KeyFileTaken {
            throw taken.failure
        } catch {
            guard key.loss != nil else {
                if isNew { Messages.note("the new key file \(keyFile) stays; another try takes it") }
                throw error
            }
            throw key.failure(error)
        }
    }

    /// Makes the key file; false if it was there before.
    private mutating func make() throws -> Bool {
        guard let file = file.take() else { return false }
        do { try file.deliver(secret, named: "keyFile") } catch FileError.exists(let path) {
            throw Failure(keyFileMadeAt: path)
        }
        return true
    }
}

/// The vault is locked with a key file that was taken away: another try does not take that one.
struct KeyFileTaken: Error {
    fileprivate let failure: Failure

    init(_ failure: Failure) { self.failure = failure }
}

/// The key file that a vault is to be locked with, and what must be in it for as long as the vault is locked so. A passphrase has none.
struct NewKeyFile: ~Copyable {
    fileprivate let bytes: SecretBytes?
    fileprivate let path: String
    /// Its absolute path when it was looked up first, free of links: where it is looked for, and what this machine remembers, whatever
    /// links lead to by then. Nil for a passphrase.
    let place: String?

    /// The same, or as it was named if it has no such path.
    var name: String { place ?? path }

    /// What has become of the file, or nil if it is there and has these bytes. Nothing that somebody put there instead is waited for.
    var loss: KeyFileLoss? {
        switch bytes {
        case .none: nil
        case .some(let bytes): loss(of: bytes)
        }
    }

    private func loss(of bytes: borrowing SecretBytes) -> KeyFileLoss? {
        do {
            // The path had no link in it when it was looked up. If there is one now, somebody has put it there.
            let file = try FileStatus.look(name, followingLinks: place == nil)
            var inputs = Inputs()
            guard file?.isRegular == true, let descriptor = try inputs.openRegular(name) else {
                return .taken
            }
            let content = try inputs.secret(from: descriptor, maximumByteCount: Unlocking.keyFileByteCount)
            return content.isEqual(to: bytes) ? nil : .taken
        } catch FileError.tooLarge {
            return .taken
        } catch {
            return SafeFile.isMissing(name) ? .taken : .hidden(Failure(error).message)
        }
    }

    /// Writes the file anew, if nothing is there. Gives what has become of it afterwards.
    func putBack() -> KeyFileLoss? {
        switch bytes {
        case .none: break
        case .some(let bytes): try? Sink(file: name, .secret).deliver(bytes, named: "keyFile")
        }
        return loss
    }

    /// The same error where nobody has the key. If the change was made, or may still come, the key is written once more.
    fileprivate func failure(_ error: any Error) -> any Error {
        guard let error = error as? VaultError, error.mayBeStored, let loss else { return error }
        return Failure(loss, of: name, afterwards: putBack(), isKnown: false, error)
    }
}

/// Why a new key file is not certainly in its place.
enum KeyFileLoss: Equatable, Sendable {
    /// Somebody who can write its folder has taken it away, or put another one there.
    case taken
    /// It cannot be looked at: the reason, for a person.
    case hidden(String)

    /// What happened.
    fileprivate var words: String {
        switch self {
        case .taken: "somebody has taken the new key file away"
        case .hidden(let reason): "the new key file cannot be looked at (\(reason))"
        }
    }
}

extension SecretBytes {
    fileprivate borrowing func copy() -> SecretBytes { withBytes { SecretBytes(copying: $0) } }
}

extension Failure {
    /// Not a moment ago.
    fileprivate init(keyFileMadeAt path: String) {
        self.init(
            .inputRequired, "somebody else has just made the key file \(path)",
            hint: "run the same command again to lock the vault with it, if you trust it")
    }

    /// The vault is not locked with the new key file.
    init(_ loss: KeyFileLoss, _ consequence: String) {
        self.init(
            .cantCreate, "\(loss.words): \(consequence)",
            hint: "keep key files in a folder that nobody else can write")
    }

    /// The same where the vault could not be locked as before.
    /// Known: the vault was looked at, and this is its lock.
    init(
        _ loss: KeyFileLoss, of path: String, afterwards: KeyFileLoss?, isKnown: Bool, _ error: VaultError
    ) {
        let place =
            switch afterwards {
            case nil: loss == .taken ? "was written to \(path) once more" : "is at \(path)"
            case .hidden: "may still be at \(path)"
            case .taken: "is nowhere: nothing opens the vault as it is now"
            }
        self.init(
            .cantCreate,
            "\(loss.words), and the vault could not be locked as it was before (\(error.words.message)): \(isKnown ? "it is" : "it may be") locked with that key file, which \(place)",
            hint: afterwards == .taken
                ? "older copies of the vault open with what locked it before; an export opens as ever"
                : "move the key file to a folder that nobody else can write, or lock the vault anew")
    }
}

extension Inputs {
    /// Reads a vault's key file. It must be a regular file: this machine remembers its path, and reads it again the next time.
    mutating func keyFile(_ path: String) throws -> SecretBytes {
        try Self.checkNamed(path)
        // Opened once: what is looked at is what is read.
        guard let descriptor = try openRegular(path) else { throw Self.noRegularKeyFile }
        let content: SecretBytes
        do {
            content = try secret(from: descriptor, maximumByteCount: Unlocking.keyFileByteCount)
        } catch FileError.tooLarge {
            throw VaultError.keyFileMalformed
        }
        warnIfOpenToOthers(path)
        return content
    }

    private static func checkNamed(_ path: String) throws {
        guard path != "-" else { throw Failure(.usage, "a vault's key file is a file, and not -") }
    }

    private static let noRegularKeyFile = Failure(.malformed, "a vault's key file is a regular file")
}
