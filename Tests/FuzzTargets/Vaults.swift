internal import CloserPrimitives
internal import CloserWire

@testable internal import CloserVault

/// A vault's file, as an attacker can write it; and what is behind its seals, as the maker of an export with a known passphrase can
/// write it.
enum Vaults {
    static func file(_ bytes: [UInt8]) {
        if let file = try? VaultFile(bytes, path: "") {
            // Without its key it does not open.
            precondition((try? file.index(key)) == nil)
            precondition(Vault.id(of: bytes.span) == file.slot.vaultID)
        }
        precondition(Vault.id(of: bytes.span) != key.vaultID || bytes.starts(with: VaultFile.mark))
    }

    /// An index in clear of up to 64 KiB, and the boxes behind it: what is read is written the same.
    static func index(_ bytes: [UInt8]) {
        let count = min(bytes.count, Int(bytes.first ?? 0) << 8 | Int(bytes.dropFirst().first ?? 0))
        let (clear, boxes) = (Array(bytes.dropFirst(2).prefix(count)), bytes.dropFirst(2 + count))
        guard let index = try? Index(clear, boxes: boxes) else { return }
        precondition(index.bytes == clear)
        precondition((try? Transaction(index, key).checkAll()) == nil || index.entries.isEmpty)
    }

    /// The first byte says of which kind the record is. What is read of it and written is read as the same.
    static func record(_ bytes: [UInt8]) {
        guard let first = bytes.first else { return }
        let kind = RecordKind.allCases[Int(first) % RecordKind.allCases.count]
        read(Array(bytes.dropFirst()), as: kind.type)
    }

    private static func read<R: Record>(_ content: [UInt8], as _: R.Type) {
        guard let record = parsed(content, as: R.self) else { return }
        let written = written(record)
        guard let again = parsed(written, as: R.self) else {
            preconditionFailure("our own record is refused")
        }
        precondition(self.written(again) == written && again.recordID.bytes == record.recordID.bytes)
    }

    private static func parsed<R: Record>(_ content: [UInt8], as _: R.Type) -> R? {
        var fields = RecordFields(count: content.count, of: pairingID)
        guard let record = try? R(&fields, in: content.span), (try? fields.finish()) != nil else {
            return nil
        }
        return record
    }

    private static func written(_ record: some Record) -> [UInt8] {
        SecretBytes(shortLived: max(1, record.maximumByteCount)) { record.write(to: &$0) }
            .withBytes { Array(copying: $0) }
    }

    fileprivate static let key = VaultKey()

    /// A pairing has its couple and its lookup in its id; the others have all of it in their content.
    private static let pairingID = RecordID(Array("couple_1".utf8), Array("ABC234".utf8))
}

/// A whole import of an export whose records are the fuzzer's: all of it is a vault, or it is refused.
enum Exports {
    private static let secret = [UInt8](repeating: 7, count: 32)

    /// Each record is a kind and its id's count of bytes, a byte each, its content's in two, and these.
    static func read(_ bytes: [UInt8]) {
        var (index, rest) = (Index(), bytes[...])
        index.changeCount = 1
        while let record = taken(from: &rest) {
            guard let id = try? RecordID(record.id) else { return }
            let name = RecordName(record.kind, id)
            index.put(Vaults.key.seal(SecretBytes(copying: record.content.span), as: name), as: name)
        }
        imported(index)
    }

    private static func taken(
        from rest: inout ArraySlice<UInt8>
    ) -> (kind: RecordKind, id: ArraySlice<UInt8>, content: [UInt8])? {
        let header = Array(rest.prefix(4))
        guard header.count == 4 else { return nil }
        let id = rest.dropFirst(4).prefix(Int(header[1]))
        let content = Array(rest.dropFirst(4 + id.count).prefix(Int(header[2]) << 8 | Int(header[3])))
        rest = rest.dropFirst(4 + id.count + content.count)
        guard !content.isEmpty else { return nil }
        return (RecordKind.allCases[Int(header[0]) % RecordKind.allCases.count], id, content)
    }

    private static func imported(_ index: Index) {
        guard let slot = try? KeySlot(Vaults.key, with: .key(SecretBytes(copying: secret.span))),
            let file = try? VaultFile.bytes(slot, index, Vaults.key),
            let export = try? Vault.read(export: file, with: .key(SecretBytes(copying: secret.span)))
        else { preconditionFailure("our own export is refused") }
        var vault = Transaction(Index(), VaultKey())
        guard (try? vault.adopt(export)) != nil else { return }
        precondition((try? vault.checkAll()) != nil)
        if (try? vault.closeOffers()) != nil { precondition((try? vault.checkAll()) != nil) }
        _ = try? vault.device
    }
}
