internal import CloserFiles
public import CloserKeys
public import CloserTink
package import CloserWire

// Files that are sealed into files, in constant memory: photographs and other attachments of any length.

extension StreamingAEAD {
    /// Seals a file into another one, in constant memory: two buffers of a segment.
    ///
    /// The sealed file appears only when it is whole, for its owner alone (mode 0600). It blocks its thread for as long as the disk
    /// takes, and for about a second for each GiB.
    ///
    /// - Throws: ``FileStreamError``: `.sealing`, `.exists`, `.isInput`, `.cannotRead`, `.cannotWrite`. Then the output stays as it was.
    public func seal(
        fileAt path: String, to output: String, associatedData: some Collection<UInt8>,
        replacing: Bool = false
    ) throws(FileStreamError) {
        let stage: StreamSealer
        do { stage = try sealer(associatedData: associatedData) } catch { throw .sealing(error) }
        _ = try stage.move(fileAt: path, to: output, replacing: replacing)
    }

    /// Opens a sealed file into another one, in constant memory, and gives the id of the key that fitted.
    ///
    /// The opened file appears only when all of the stream was proven, for its owner alone (mode 0600). It blocks its thread for as
    /// long as the disk takes, and for about a second for each GiB.
    ///
    /// - Throws: ``FileStreamError``: `.opening`, `.exists`, `.isInput`, `.cannotRead`, `.cannotWrite`. Then the output stays as it was.
    @discardableResult
    public func open(
        fileAt path: String, to output: String, associatedData: some Collection<UInt8>,
        replacing: Bool = false
    ) throws(FileStreamError) -> UInt32 {
        let stage: StreamOpener
        do { stage = try opener(associatedData: associatedData) } catch { throw .opening(error) }
        let finished = try stage.move(fileAt: path, to: output, replacing: replacing)
        guard let keyID = finished.keyID else { preconditionFailure("a stream opened without a key") }
        return keyID
    }
}

extension Attachment {
    /// Seals a file into another one under a new key, in constant memory, and says what opens it: its name is that of the file, without
    /// folders. The sealed file appears as with ``/CloserTink/StreamingAEAD``, and it takes about twice as long.
    ///
    /// - Throws: ``FileStreamError``: `.sealing`, `.exists`, `.isInput`, `.cannotRead`, `.cannotWrite`. Then the output stays as it was.
    public init(
        sealingFileAt path: String, to output: String, mimeType: String, replacing: Bool = false
    ) throws(FileStreamError) {
        let sealed = try AttachmentSealer().move(fileAt: path, to: output, replacing: replacing)
        self = sealed.attachment(named: Paths.name(of: path), mimeType: mimeType)
    }

    /// Opens the sealed file into another one, in constant memory. It reads the file twice, and first compares size and digest. The opened
    /// file appears as with ``/CloserTink/StreamingAEAD``.
    ///
    /// - Throws: ``FileStreamError``: `.otherFile`, `.opening`, `.exists`, `.isInput`, `.cannotRead`, also for what is not a regular file,
    ///   and `.cannotWrite`. Then the output stays as it was.
    public func open(
        fileAt path: String, to output: String, replacing: Bool = false
    ) throws(FileStreamError) {
        do { try check(path) } catch { throw FileStreamError(error) }
        _ = try opener().move(fileAt: path, to: output, replacing: replacing)
    }

    /// Reads a file, and throws unless it is the sealed one. What changes before it is opened fails its tags.
    package func check(_ path: String) throws {
        guard let file = try Descriptor.readingRegular(path) else {
            throw FileError.cannotOpen(path: path, reason: "is not a regular file")
        }
        guard try isOf({ try file.read(into: &$0) }) else { throw FileStreamError.otherFile }
    }
}

/// Why a file failed to be sealed or opened. Then the output stays as it was.
public enum FileStreamError: Error, Equatable, Sendable {
    /// Sealing the stream failed.
    case sealing(StreamingAEAD.SealError)
    /// The stream stays closed, from its beginning or before its end.
    case opening(OpenError)
    /// The sealed file is not the one that an ``/CloserKeys/Attachment`` names: its size or its digest differs.
    case otherFile
    /// The output is there already.
    case exists(path: String)
    /// The output is the input.
    case isInput(path: String)
    /// The file system refused the input. `reason` is the system's own word.
    case cannotRead(path: String, reason: String)
    /// The file system refused the output. `reason` is the system's own word.
    case cannotWrite(path: String, reason: String)
}

extension StreamStage where Self: ~Copyable {
    /// Gives itself back as it is at the end.
    fileprivate consuming func move(
        fileAt path: String, to output: String, replacing: Bool
    ) throws(FileStreamError) -> Self {
        do {
            let input = try Descriptor.reading(path)
            // A pipe would get the first segments before the last was proven.
            let file = try AtomicFile(
                output, replacing: replacing, notReplacing: [input.identity].compactMap { $0 },
                allowingStreams: false)
            _ = try move(from: { try input.read(into: &$0) }, to: { try file.write($0) })
            try file.commit()
        } catch { throw FileStreamError(error) }
        return self
    }
}

extension FileStreamError {
    fileprivate init(_ error: any Error) {
        self =
            switch error {
            case let error as FileStreamError: error
            case let error as StreamingAEAD.SealError: .sealing(error)
            case let error as OpenError: .opening(error)
            case FileError.exists(let path): .exists(path: path)
            case FileError.isInput(let path): .isInput(path: path)
            case FileError.cannotOpen(let path, let reason), FileError.readFailed(let path, let reason):
                .cannotRead(path: path, reason: reason)
            case FileError.cannotCreate(let path, let reason), FileError.writeFailed(let path, let reason):
                .cannotWrite(path: path, reason: reason)
            default: preconditionFailure("moving a stream failed with an unexpected error")
            }
    }
}

extension FileStreamError: WordedError {
    /// Why a stream stays closed: the reasons look alike.
    package static let reasons = "another key, other associated data, a changed byte, or a part is missing"

    package var words: ErrorWords {
        switch self {
        case .sealing(let error): error.words
        case .opening(.authenticationFailed):
            ErrorWords(
                .authFailed, "it does not open: \(Self.reasons)",
                "bring the file over once more, and check what it was sealed for")
        case .opening(let error): error.words
        case .otherFile:
            ErrorWords(
                .authFailed, "its size or digest is not that of the attachment", "bring the file over again")
        case .exists(let path): FileError.exists(path: path).words
        case .isInput(let path): FileError.isInput(path: path).words
        case .cannotRead(let path, let reason): FileError.cannotOpen(path: path, reason: reason).words
        case .cannotWrite(let path, let reason): FileError.cannotCreate(path: path, reason: reason).words
        }
    }
}
