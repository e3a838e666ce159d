internal import CloserWire

/// The one file of a vault: `"closer-keys/vault/3\n" ‖ key slot ‖ LP(sealed index) ‖ boxes`.
///
/// The format is in closer-keys-formats(7), PRIVATE FORMATS. Sizes are checked before they are used, the index's seal covers all that
/// stands before it, the index has the digest of every box behind it, and the file ends with the last box: a file of which any byte was
/// changed stays closed. Whether an older file of the same vault was put back shows in the states that it lists.
struct VaultFile: Sendable {
    static let mark = Array("closer-keys/vault/3\n".utf8)

    let bytes: [UInt8]
    /// The name, for messages.
    let path: String
    let slot: KeySlot
    /// Everything up to the boxes, the sealed index included: two files with the same head are the same.
    let head: ArraySlice<UInt8>
    private let slotEnd: Int
    private let sealedIndex: ArraySlice<UInt8>
    private let boxes: ArraySlice<UInt8>

    /// Takes a file apart, without a key.
    init(_ bytes: [UInt8], path: String) throws(VaultError) {
        guard bytes.starts(with: Self.mark) else {
            // A mark of another number, of any length, is another version.
            throw bytes.starts(with: Self.mark.dropLast(2)) ? .unsupportedVersion : .notAVault(path: path)
        }
        (self.bytes, self.path) = (bytes, path)
        var fields = RecordFields(range: Self.mark.count..<bytes.count)
        slot = try KeySlot(&fields, in: bytes.span)
        slotEnd = fields.position
        sealedIndex = bytes[try fields.range(in: bytes.span)]
        head = bytes[..<fields.position]
        boxes = bytes[fields.position...]
    }

    static func id(of bytes: Span<UInt8>) -> Vault.ID? {
        guard bytes.count > mark.count, mark.indices.allSatisfy({ bytes[$0] == mark[$0] }) else { return nil }
        var fields = RecordFields(range: mark.count..<bytes.count)
        return (try? KeySlot(&fields, in: bytes))?.vaultID
    }

    /// Opens the index, and checks the digest of every box.
    func index(_ key: VaultKey) throws(VaultError) -> Index {
        let clear = try key.open(index: sealedIndex, after: head[..<slotEnd])
        return try Index(clear, boxes: boxes)
    }

    static func bytes(_ slot: KeySlot, _ index: Index, _ key: VaultKey) throws(VaultError)
        -> [UInt8]
    {
        let boxByteCount = index.boxByteCount
        var bytes = mark + slot.bytes
        let sealed = key.seal(index: index.bytes, after: bytes[...])
        guard bytes.count + sealed.count + boxByteCount < Vault.maximumByteCount else { throw .tooLarge }
        bytes.reserveCapacity(bytes.count + 4 + sealed.count + boxByteCount)
        bytes += [UInt8](lengthPrefixed: [sealed])
        for entry in index.entries { bytes += entry.box }
        return bytes
    }
}
