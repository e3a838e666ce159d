internal import CCloserSodium

/// Comparisons whose time depends on the lengths alone.
public enum ConstantTime {
    /// Whether both are the same bytes. Lengths are public: different ones are unequal at once.
    ///
    /// The C function is `sodium_memcmp`.
    public static func isEqual(_ ours: Span<UInt8>, _ theirs: Span<UInt8>) -> Bool {
        guard ours.count == theirs.count else { return false }
        return unsafe ours.withPointer { a, count in
            unsafe theirs.withPointer { b, _ in unsafe sodium_memcmp(a, b, count) == 0 }
        }
    }

    /// Whether one big-endian number of at most 256 bytes is below another of the same length.
    ///
    /// The C function is `sodium_compare`, which wants little-endian.
    static func isLess(_ value: Span<UInt8>, than bound: Span<UInt8>) -> Bool {
        precondition(value.count == bound.count)
        return reversed(value).withBytes { value in
            reversed(bound).withBytes { bound in
                unsafe value.withPointer { a, count in
                    unsafe bound.withPointer { b, _ in unsafe sodium_compare(a, b, count) < 0 }
                }
            }
        }
    }

    private static func reversed(_ bytes: Span<UInt8>) -> SecretBytes {
        SecretBytes(shortLived: bytes.count) { output in
            for index in bytes.indices.reversed() { output.append(bytes[index]) }
        }
    }
}
