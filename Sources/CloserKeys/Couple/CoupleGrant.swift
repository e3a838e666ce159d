internal import CloserPrimitives
internal import CloserTink
internal import CloserWire

/// What a device holds of a couple: its keys, and how many pairings and rekeys it has accepted.
@usableFromInline package struct CoupleHold: Sendable {
    /// How many pairings and rekeys led to these keys. At most 2³² − 2.
    package let epoch: UInt32
    /// The primary, and the older keys for reading.
    package let key: CoupleKey

    /// The keys of an epoch.
    package init(epoch: UInt32, key: CoupleKey) { (self.epoch, self.key) = (epoch, key) }

    /// `LP(name, u32be(epoch), binary keyset)`, and what `appendRest` appends in `room` more bytes.
    func body(
        named name: String, room: Int = 0, _ appendRest: (inout OutputSpan<UInt8>) -> Void = { _ in }
    ) -> SecretBytes {
        let keyset = InsecureCleartextKeyset.binary(key.keyset)
        return SecretBytes(capacity: name.utf8.count + 16 + keyset.count + room) { output in
            output.append(item: Array(name.utf8).span)
            output.append(item: [UInt8](bigEndian: epoch).span)
            keyset.withBytes { output.append(item: $0) }
            appendRest(&output)
        }
    }

    /// Reads what ``body(named:room:_:)`` writes, as far as the keyset.
    init(_ reader: inout ByteReader, in body: Span<UInt8>, named name: String) throws(CoupleBodyError) {
        guard try reader.bytes(in: body) == Array(name.utf8) else { throw .form }
        try self.init(&reader, in: body)
    }

    /// Reads the epoch and the keyset, which follow the name.
    fileprivate init(_ reader: inout ByteReader, in body: Span<UInt8>) throws(CoupleBodyError) {
        let epoch = try reader.bytes(in: body)
        guard epoch.count == 4 else { throw .form }
        let keyset = try reader.secret(in: body)
        do {
            key = try CoupleKey(try InsecureCleartextKeyset.read(binary: keyset, .strict))
        } catch { throw .keyset(error) }
        self.epoch = UInt32(bigEndian: epoch)
    }
}

/// A couple's keys on their way to the partner, with the phrase that they are wrapped under: by a pairing (``AdmittedPartner``)
/// or by a ``Rekey``.
@frozen package struct CoupleGrant: ~Copyable, Sendable {
    /// The keys, and their epoch.
    package let hold: CoupleHold
    /// What the keys are wrapped under after the grant. The partner's device refuses one that ``RecoveryPhrase/random(from:)`` could not have
    /// made.
    package let phrase: RecoveryPhrase
    /// Whether the couple has texts in the clear, and has not finished to seal them (``Migration``). A pairing tells this, a rekey does not.
    package let isMigrating: Bool

    /// A grant to be sealed.
    package init(_ hold: CoupleHold, phrase: consuming RecoveryPhrase, isMigrating: Bool = false) {
        (self.hold, self.isMigrating) = (hold, isMigrating)
        self.phrase = phrase
    }

    /// `LP(name, u32be(epoch), binary keyset, phrase)`.
    func body(named name: String) -> SecretBytes {
        hold.body(named: name, room: 4 + phrase.text.count) { output in
            phrase.text.withBytes { output.append(item: $0) }
        }
    }

    /// Reads exactly what ``body(named:)`` writes, under one of two names: the second says that the couple migrates.
    init(
        body: Span<UInt8>, named name: String, whenMigrating migrating: String? = nil
    ) throws(CoupleBodyError) {
        var reader = ByteReader(count: body.count)
        let found = try reader.bytes(in: body)
        let isMigrating = migrating.map { Array($0.utf8) == found } ?? false
        guard isMigrating || Array(name.utf8) == found else { throw .form }
        let hold = try CoupleHold(&reader, in: body)
        let phrase = try reader.secret(in: body)
        guard reader.isAtEnd else { throw .form }
        do {
            self.init(hold, phrase: try RecoveryPhrase(granted: phrase), isMigrating: isMigrating)
        } catch { throw .phrase }
    }
}

/// Why sealed bytes are refused as the body of a hold or a grant.
enum CoupleBodyError: Error {
    /// Its items are not those of a grant.
    case form
    /// The phrase is outside of what a grant or a rekey may have.
    case phrase
    /// Its key is not a couple key in canonical form.
    case keyset(KeysetError)
}

extension ByteReader {
    mutating func bytes(in body: Span<UInt8>) throws(CoupleBodyError) -> [UInt8] {
        Array(copying: body.extracting(try next(in: body)))
    }

    mutating func secret(in body: Span<UInt8>) throws(CoupleBodyError) -> SecretBytes {
        SecretBytes(copying: body.extracting(try next(in: body)))
    }

    private mutating func next(in body: Span<UInt8>) throws(CoupleBodyError) -> Range<Int> {
        do { return try item(in: body) } catch { throw .form }
    }
}
