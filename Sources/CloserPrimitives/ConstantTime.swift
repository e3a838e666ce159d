/// Comparisons that take the same time whatever the bytes are; only the lengths show.
///
/// Use them wherever one side is a secret or a MAC: `==` stops at the first byte that differs, and a patient
/// attacker learns from the time how many bytes were right.
package enum ConstantTime {
    /// Whether both are the same bytes. Lengths are public: two of different length are unequal at once.
    package static func isEqual(_ ours: Span<UInt8>, _ theirs: Span<UInt8>) -> Bool {
        guard ours.count == theirs.count else { return false }
        return Sodium.isEqual(ours, theirs)
    }

    /// Whether a big-endian number is above 0 and below `bound`, a little-endian number of as many bytes.
    ///
    /// The bytes are reversed first, because the C library compares little-endian numbers.
    static func isPositive(_ value: Span<UInt8>, below bound: [UInt8]) -> Bool {
        precondition(value.count == bound.count)
        let reversed = SecretBytes(shortLived: value.count) { output in
            for index in value.indices.reversed() { output.append(value[index]) }
        }
        return reversed.withBytes { Sodium.isPositive($0, below: bound.span) }
    }
}
