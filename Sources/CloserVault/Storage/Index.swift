internal import CloserPrimitives
internal import CloserWire

/// What a vault holds: how often it was changed, the states before, and each record's name, and where and what its box is.
///
/// In clear it is `u64be(changes) ‖ history ‖ u32be(count)`, then of each record `LP(kind, id) ‖ u32be(length) ‖ SHA-256 of its box`; in the
/// file it is sealed under the vault's key, with all that stands before it (closer-keys-formats(7), PRIVATE FORMATS). A
/// record outside of the list counts as absent.
struct Index: Sendable {
    /// How often the vault was changed, from 1. It only rises.
    var changeCount: UInt64
    /// The states that this one came of.
    private(set) var history = VaultHistory()
    private(set) var entries: [Entry]
    /// Where the entry of a name is.
    private var places: [RecordName: Int] = [:]

    struct Entry: Sendable {
        let name: RecordName
        let digest: ArraySlice<UInt8>
        /// `iv ‖ ciphertext ‖ tag`.
        let box: ArraySlice<UInt8>
    }

    /// Up to more changes than a couple makes, and the most that JSON tells exactly: 2^53 - 1.
    static let changeCounts = UInt64(1)...(UInt64(1) << 53) - 1

    /// The index of a new vault.
    init() { (changeCount, entries) = (0, []) }

    var boxByteCount: Int { entries.reduce(0) { $0 + $1.box.count } }
    func entry(_ name: RecordName) -> Entry? { places[name].map { entries[$0] } }

    /// All of a kind, in the order in which they came to the vault; `prefix` is the beginning of their ids.
    func entries(of kind: RecordKind, under prefix: RecordID?) -> [Entry] {
        entries.filter { $0.name.kind == kind && prefix.map($0.name.id.starts) ?? true }
    }

    /// A record's new box takes the place of its old one.
    mutating func put(_ box: [UInt8], as name: RecordName) {
        let entry = Entry(name: name, digest: SHA256.hash(box.span)[...], box: box[...])
        if let place = places[name] {
            entries[place] = entry
        } else {
            places[name] = entries.count
            entries.append(entry)
        }
    }

    /// All of a kind whose ids begin so; with a whole id, the one record.
    mutating func removeAll(of kind: RecordKind, under prefix: RecordID) {
        entries.removeAll { $0.name.kind == kind && $0.name.id.starts(with: prefix) }
        places = Dictionary(uniqueKeysWithValues: entries.indices.map { (entries[$0].name, $0) })
    }

    /// These records after one more change than this, and than each of `states`, which they replace, the newest first. Only a fault
    /// brings a count to its end.
    func counted(
        after states: [VaultVersion] = [], _ history: VaultHistory = VaultHistory()
    ) throws(VaultError) -> Index {
        let last = states.reduce(changeCount) { max($0, $1.changeCount) }
        guard last < Self.changeCounts.upperBound else { throw .damaged }
        var next = self
        (next.changeCount, next.history) = (last + 1, history.behind(states))
        return next
    }
}

// MARK: - Bytes

extension Index {
    var bytes: [UInt8] {
        var bytes = [UInt8](bigEndian: changeCount) + history.bytes
        bytes.reserveCapacity(bytes.count + entries.reduce(12) { $0 + $1.maximumByteCount })
        bytes.append(bigEndian: UInt32(entries.count))
        for entry in entries { entry.append(to: &bytes) }
        return bytes
    }

    /// Reads the index in clear; `boxes` are all bytes that follow it in the file, and are used to the last. A box that is not the one
    /// that is listed is `.damaged`.
    init(_ bytes: [UInt8], boxes: ArraySlice<UInt8>) throws(VaultError) {
        var fields = RecordFields(count: bytes.count)
        var rest = boxes
        changeCount = UInt64(bigEndian: try fields.fixed(8, in: bytes))
        history = try VaultHistory(&fields, in: bytes)
        let count = try fields.uint32Fixed(in: bytes)
        entries = []
        // A false count reserves only as much as the index's own bytes could name.
        let most = min(Int(clamping: count), bytes.count / Entry.minimumByteCount)
        entries.reserveCapacity(most)
        places.reserveCapacity(most)
        for place in 0..<Int(clamping: count) {
            let entry = try Entry(&fields, in: bytes, from: &rest)
            guard places.updateValue(place, forKey: entry.name) == nil else { throw .damaged }
            entries.append(entry)
        }
        try fields.finish()
        guard rest.isEmpty, Self.changeCounts.contains(changeCount) else { throw .damaged }
    }
}

extension Index.Entry {
    /// Three counts and the digest.
    private static let fixedByteCount = 3 * 4 + SHA256.byteCount
    fileprivate static let minimumByteCount = fixedByteCount + RecordKind.minimumByteCount
    fileprivate var maximumByteCount: Int {
        Self.fixedByteCount + RecordKind.maximumByteCount + name.id.bytes.count
    }

    fileprivate func append(to bytes: inout [UInt8]) {
        let kind = name.kind.rawValue.utf8
        bytes.append(bigEndian: UInt32(kind.count))
        bytes += kind
        bytes.append(bigEndian: UInt32(name.id.bytes.count))
        bytes += name.id.bytes
        bytes.append(bigEndian: UInt32(box.count))
        bytes += digest
    }

    fileprivate init(
        _ fields: inout RecordFields, in bytes: [UInt8], from rest: inout ArraySlice<UInt8>
    ) throws(VaultError) {
        let kind = bytes[try fields.range(in: bytes.span)]
        name = RecordName(try RecordKind(named: kind), try RecordID(bytes[try fields.range(in: bytes.span)]))
        let length = Int(clamping: try fields.uint32Fixed(in: bytes))
        digest = try fields.fixed(SHA256.byteCount, in: bytes)
        guard length <= rest.count else { throw .damaged }
        box = rest.prefix(length)
        guard SHA256.hash(box.span)[...] == digest else { throw .damaged }
        rest = rest.dropFirst(length)
    }
}
