internal import CloserWire

/// The one file of a vault: `"closer-keys/vault/2\n" ‖ lock ‖ LP(sealed directory) ‖ boxes`.
///
/// The format is in closer-keys-formats(7), PRIVATE FORMATS. Sizes are checked before they are used, the directory's seal
/// covers all that stands before it and the digest of every box behind it, and nothing follows the last box. So somebody
/// without the key can do one thing to the file that it does not show by itself: put back an older one of the same vault,
/// whole.
struct VaultFile: Sendable {
    static let mark = Array("closer-keys/vault/2\n".utf8)

    /// All of the file.
    let bytes: [UInt8]
    let lock: VaultLock
    /// Everything up to the boxes, the sealed directory included: two files with the same head are the same.
    let head: ArraySlice<UInt8>
    private let lockEnd: Int
    private let sealedDirectory: ArraySlice<UInt8>
    private let boxes: ArraySlice<UInt8>

    /// Takes a file apart, without a key.
    init(_ bytes: [UInt8], path: String) throws(VaultError) {
        try Self.checkMark(bytes, path)
        self.bytes = bytes
        var fields = RecordFields(range: Self.mark.count..<bytes.count)
        lock = try VaultLock(&fields, in: bytes.span)
        lockEnd = fields.position
        sealedDirectory = bytes[try fields.range(in: bytes.span)]
        head = bytes[..<fields.position]
        boxes = bytes[fields.position...]
    }

    /// Which vault a file claims to be that begins with these bytes, the mark among them; nil if it is none.
    static func id(inBeginning bytes: [UInt8]) -> VaultID? {
        var fields = RecordFields(range: mark.count..<bytes.count)
        return (try? VaultLock(&fields, in: bytes.span))?.vaultID
    }

    /// Opens the directory.
    func directory(_ key: VaultKey) throws(VaultError) -> Directory {
        guard lock.vaultID == key.vaultID else { throw .damaged }
        let clear = try key.open(directory: sealedDirectory, after: head[..<lockEnd])
        return try Directory(clear, boxes: boxes)
    }

    /// A whole file.
    static func bytes(_ lock: VaultLock, _ directory: Directory, _ key: VaultKey) throws(VaultError)
        -> [UInt8]
    {
        let boxByteCount = directory.entries.reduce(0) { $0 + $1.box.count }
        guard boxByteCount < Vault.maximumByteCount else { throw .tooLarge }
        var bytes = mark + lock.bytes
        let sealed = key.seal(directory: directory.bytes, after: bytes[...])
        guard bytes.count + sealed.count + boxByteCount < Vault.maximumByteCount else { throw .tooLarge }
        bytes.reserveCapacity(bytes.count + 4 + sealed.count + boxByteCount)
        bytes += [UInt8](lengthPrefixed: [sealed])
        for entry in directory.entries { bytes += entry.box }
        return bytes
    }

    private static func checkMark(_ bytes: [UInt8], _ path: String) throws(VaultError) {
        guard !bytes.starts(with: mark) else { return }
        guard !isFormer(bytes) else { throw .formerFormat }
        // A mark of another number, of any length.
        guard bytes.starts(with: mark.dropLast(2)) else { throw .notAVault(path: path) }
        throw .unsupportedVersion
    }

    /// Before the first release, a vault was an SQLite database that called itself `CKv1`, and an export had a mark of its own.
    private static func isFormer(_ bytes: [UInt8]) -> Bool {
        let applicationID = bytes.dropFirst(68).prefix(4)
        return bytes.starts(with: "SQLite format 3\0".utf8) && applicationID.elementsEqual("CKv1".utf8)
            || bytes.starts(with: "closer-keys/export/1\n".utf8)
    }
}
