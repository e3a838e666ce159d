internal import CCloserSodium

/// Comparisons whose time depends on the lengths alone.
package enum ConstantTime {
    /// Whether both are the same bytes. Lengths are public: different ones are unequal at once.
    ///
    /// The C function is `sodium_memcmp`.
    package static func isEqual(_ ours: Span<UInt8>, _ theirs: Span<UInt8>) -> Bool {
        guard ours.count == theirs.count else { return false }
        return unsafe ours.withPointer { a, count in
            unsafe theirs.withPointer { b, _ in unsafe sodium_memcmp(a, b, count) == 0 }
        }
    }

    /// Whether a big-endian number is above 0 and below a little-endian bound of the same length.
    ///
    /// The C functions are `sodium_is_zero` and `sodium_compare`, which wants little-endian.
    static func isPositive(_ value: Span<UInt8>, below bound: [UInt8]) -> Bool {
        precondition(value.count == bound.count)
        let reversed = SecretBytes(shortLived: value.count) { output in
            for index in value.indices.reversed() { output.append(value[index]) }
        }
        return reversed.withBytes { value in
            unsafe value.withPointer { value, count in
                unsafe bound.span.withPointer { bound, _ in
                    unsafe sodium_is_zero(value, count) == 0 && sodium_compare(value, bound, count) < 0
                }
            }
        }
    }
}
