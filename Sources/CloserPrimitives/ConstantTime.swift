/// Functions whose time and memory accesses depend on lengths alone.
///
/// Use it wherever a byte is a secret or a MAC: `==` stops at the first byte that differs, and a patient attacker learns from the
/// time how many bytes were right. A table shows by the cache where it was read. `make check-constant-time` proves it with valgrind.
package enum ConstantTime {
    /// Whether both are the same bytes. Lengths are public: two of different length are unequal at once.
    package static func isEqual(_ ours: Span<UInt8>, _ theirs: Span<UInt8>) -> Bool {
        guard ours.count == theirs.count else { return false }
        return Sodium.isEqual(ours, theirs)
    }

    /// Whether a big-endian number is above 0 and below `bound`, a little-endian number of as many bytes.
    ///
    /// The bytes are reversed first, because the C library compares little-endian numbers.
    package static func isPositive(_ value: Span<UInt8>, below bound: [UInt8]) -> Bool {
        precondition(value.count == bound.count)
        let reversed = SecretBytes(shortLived: value.count) { output in
            for index in value.indices.reversed() { output.append(value[index]) }
        }
        return reversed.withBytes { Sodium.isPositive($0, below: bound.span) }
    }

    /// The byte at a secret `index` of a table, all of which is read.
    package static func element(at index: UInt8, of table: Span<UInt8>) -> UInt8 {
        var found: UInt8 = 0
        for candidate in table.indices {
            found |= table[candidate] & mask(UInt8(truncatingIfNeeded: candidate), is: index)
        }
        return found
    }

    // MARK: - Masks: all bits for yes, none for no

    /// Whether both bytes are the same.
    package static func mask(_ byte: UInt8, is other: UInt8) -> UInt8 {
        UInt8(truncatingIfNeeded: (Int32(byte ^ other) &- 1) >> 8)
    }

    /// Whether the byte is one of these.
    package static func mask(_ byte: UInt8, in range: ClosedRange<UInt8>) -> UInt8 {
        let (byte, first, last) = (Int32(byte), Int32(range.lowerBound), Int32(range.upperBound))
        return ~UInt8(truncatingIfNeeded: ((byte &- first) | (last &- byte)) >> 31)
    }

    /// One byte where `mask` says yes, and another where it says no.
    package static func choose(_ mask: UInt8, _ yes: UInt8, else no: UInt8) -> UInt8 {
        no ^ (mask & (yes ^ no))
    }

    /// ASCII's lower case as upper case; any other byte stays.
    package static func upperCased(_ byte: UInt8) -> UInt8 { byte ^ (mask(byte, in: 0x61...0x7A) & 0x20) }

    /// ASCII's upper case as lower case; any other byte stays.
    package static func lowerCased(_ byte: UInt8) -> UInt8 { byte ^ (mask(byte, in: 0x41...0x5A) & 0x20) }
}
