internal import CloserFiles
internal import CloserPrimitives
internal import CloserVault
internal import CloserWire

/// The inputs of one run. Each file that is read or changed is claimed, which keeps it from outputs; standard input
/// can be read only once.
struct Inputs {
    /// What no output of this run may replace: files, and names in folders.
    private(set) var claims: [FileIdentity] = []
    private var hasReadStandardInput = false
    /// Who else may read the file that was read last.
    private var audience = Audience.none
    private var foldersWarnedOf: Set<String> = []
    private static let pipe = "give the token on standard input"

    private enum Audience { case none, others, owner }

    /// The whole content of a file. `-` and nil mean standard input.
    mutating func bytes(_ path: String?, maximumByteCount: Int) throws -> [UInt8] {
        let descriptor = try open(path)
        var bytes: [UInt8] = []
        while bytes.count <= maximumByteCount {
            let room = min(
                maximumByteCount + 1 - bytes.count, max(64 * 1024, descriptor.regularByteCount ?? 0))
            var isAtEnd = false
            try bytes.append(addingCapacity: room) { output in isAtEnd = try !descriptor.read(into: &output) }
            if isAtEnd { return bytes }
        }
        throw FileError.tooLarge(path: descriptor.name, maximumByteCount: maximumByteCount)
    }

    /// A token or JSON, trimmed of white space.
    mutating func text(_ path: String?, maximumByteCount: Int = 2 << 20) throws -> [UInt8] {
        Self.trimmed(try bytes(path, maximumByteCount: maximumByteCount))
    }

    static func trimmed(_ bytes: [UInt8]) -> [UInt8] { Array(bytes[textRange(of: bytes.span)]) }

    /// All but the white space at both ends.
    static func textRange(of bytes: Span<UInt8>) -> Range<Int> { textRange(of: bytes, in: 0..<bytes.count) }

    static func textRange(of bytes: Span<UInt8>, in range: Range<Int>) -> Range<Int> {
        var (start, end) = (range.lowerBound, range.upperBound)
        while start < end, isSpace(bytes[start]) { start += 1 }
        while start < end, isSpace(bytes[end - 1]) { end -= 1 }
        return start..<end
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte.isJSONWhiteSpace }

    static func hex(_ text: String, of option: String) throws -> [UInt8] {
        guard let bytes = try? Hex.decode(text) else {
            throw CLIError(.usage, "\(option) takes pairs of hexadecimal digits")
        }
        return bytes
    }

    /// The whole content of a secret file. It is read directly into locked memory.
    mutating func secret(_ path: String?, maximumByteCount: Int) throws -> SecretBytes {
        try secret(from: try open(path), maximumByteCount: maximumByteCount)
    }

    func secret(from descriptor: borrowing Descriptor, maximumByteCount: Int) throws -> SecretBytes {
        let expected = descriptor.regularByteCount.map { min($0, maximumByteCount) + 1 } ?? 4096
        return try secret(of: descriptor.name, expected, maximumByteCount: maximumByteCount) {
            (output) throws(FileError) in try descriptor.read(into: &output)
        }
    }

    /// All that `read` gives until it is false.
    func secret(
        of name: String, _ expected: Int, maximumByteCount: Int,
        _ read: (inout OutputSpan<UInt8>) throws(FileError) -> Bool
    ) throws -> SecretBytes {
        var capacity = expected
        var bytes = SecretBytes(copying: Span())
        repeat {
            let more = try SecretBytes(capacity: capacity) { output in
                bytes.withBytes { output.append($0) }
                while output.freeCapacity > 0, try read(&output) {}
            }
            bytes = more
            if bytes.count < capacity { return bytes }
            capacity = min(capacity * 2, maximumByteCount + 1)
        } while bytes.count <= maximumByteCount
        throw FileError.tooLarge(path: name, maximumByteCount: maximumByteCount)
    }

    /// Warns if other users can read the file that was read last.
    func warnIfOpenToOthers(_ path: String) {
        switch audience {
        case .none: break
        case .others: Diagnostics.alarm("\(path) can be read by others")
        case .owner: Diagnostics.alarm("\(path) belongs to another user, who can read it")
        }
    }

    /// Warns once if another user can replace files in a folder.
    mutating func warnIfOthersCanWrite(_ folder: String) {
        guard Paths.isWritableByOthers(folder) else { return }
        let folder = (try? Paths.absolute(folder)) ?? folder
        guard foldersWarnedOf.insert(folder).inserted else { return }
        Diagnostics.alarm(
            "other users can write into the folder \(folder), and replace or delete what is there")
    }

    /// Warns if another user can change a vault or a key file, or replace files in its folder.
    mutating func warnIfOthersCanChange(_ path: String) {
        if Paths.isWritableByOthers(path) { Diagnostics.alarm("\(path) can be changed by others") }
        warnIfOthersCanWrite(Paths.folder(of: path))
    }

    /// Opens a file to be read piece by piece. `-` and nil mean standard input.
    mutating func open(_ path: String?) throws -> Descriptor {
        guard let path, !InputName.isStandardInput(path) else { return try standardInput() }
        let descriptor: Descriptor
        switch InputName.descriptor(path) {
        case .some(let number): descriptor = .inherited(number)
        case .none:
            if FileKind(Array(path.utf8).span)?.isToken == true, Paths.isMissing(path) {
                throw CLIError(.noInput, "an argument names a file, and this is a token", hint: Self.pipe)
            }
            descriptor = try .reading(path)
        }
        note(descriptor, path)
        return descriptor
    }

    /// Opens a regular file at once; nil if something else is there.
    mutating func openRegular(_ path: String) throws -> Descriptor? {
        if InputName.isStandardInput(path) { try beginStandardInput() }
        guard let descriptor = try Descriptor.readingRegular(path) else { return nil }
        note(descriptor, path)
        return descriptor
    }

    /// Its name, too: an editor that saves the file gives it another identity.
    private mutating func note(_ file: borrowing Descriptor, _ path: String) {
        claims += FileIdentity.all(of: path)
        audience = file.isOfAnother ? .owner : file.isOpenToOthers ? .others : .none
    }

    mutating func claim(_ output: borrowing Output, at path: String) {
        if output.isFile { claims += FileIdentity.all(of: path) }
    }

    /// Claims a vault and its lock.
    mutating func claim(_ vault: VaultFileStorage) { claims += vault.files }

    private mutating func beginStandardInput() throws {
        guard !hasReadStandardInput else { throw Self.readTwice }
        hasReadStandardInput = true
    }

    mutating func standardInput() throws -> Descriptor {
        try beginStandardInput()
        let descriptor = Descriptor.standardInput
        audience = .none
        claims += [descriptor.identity].compactMap { $0 }
        if descriptor.isTerminal { Diagnostics.note("reading standard input, end it with control-d") }
        return descriptor
    }
}
