#if canImport(Clibsodium)
internal import Clibsodium
#else
internal import CCloserSodium
#endif

/// What libsodium does for every platform: random bytes, comparisons in constant time, base64 of secrets.
///
/// X25519, ristretto255 and Argon2id have files of their own beside this one; guarded memory is in the folder Memory.
enum Sodium {
    private static let started: Bool = sodium_init() >= 0

    /// Must run before any other call; runs once, in the first thread that calls. The C function is `sodium_init`.
    static func start() {
        precondition(started, "libsodium did not start")
    }

    /// The version of the library that is loaded.
    static var version: String { unsafe String(cString: sodium_version_string()) }

    /// Appends `count` bytes of the operating system's generator. The C function is `randombytes_buf`.
    static func appendRandom(_ count: Int, to output: inout OutputSpan<UInt8>) {
        start()
        unsafe output.append(count) { target in
            unsafe randombytes_buf(target, count)
            return true
        }
    }

    /// Wipes what calls that have returned left on the stack, as far as 4 KiB. The C function is `sodium_stackzero`.
    static func wipeStack() { sodium_stackzero(4096) }

    /// Whether two spans of one length are the same bytes. The C function is `sodium_memcmp`.
    static func isEqual(_ ours: Span<UInt8>, _ theirs: Span<UInt8>) -> Bool {
        unsafe ours.withPointer { a, count in
            unsafe theirs.withPointer { b, _ in unsafe sodium_memcmp(a, b, count) == 0 }
        }
    }

    /// Whether a little-endian number is above 0 and below another of the same length.
    ///
    /// The C functions are `sodium_is_zero` and `sodium_compare`.
    static func isPositive(_ value: Span<UInt8>, below bound: Span<UInt8>) -> Bool {
        unsafe value.withPointer { value, count in
            unsafe bound.withPointer { bound, _ in
                // Branch-free: 0 clears every bit, and any other value keeps them.
                unsafe (sodium_is_zero(value, count) &- 1) & sodium_compare(value, bound, count) < 0
            }
        }
    }
}

// MARK: - Base64

extension SecretBase64 {
    private var variant: CInt {
        switch self {
        case .standard: sodium_base64_VARIANT_ORIGINAL
        case .url: sodium_base64_VARIANT_URLSAFE_NO_PADDING
        }
    }

    /// The text of `bytes` in ASCII and the NUL that C puts behind it. The C function is `sodium_bin2base64`.
    func textForC(_ bytes: Span<UInt8>) -> SecretBytes {
        Sodium.start()
        let room = encodedCount(bytes.count) + 1
        return SecretBytes(capacity: room) { text in
            unsafe text.append(room) { target in
                unsafe bytes.withPointer { source, count in
                    unsafe target.withMemoryRebound(to: CChar.self, capacity: room) {
                        unsafe sodium_bin2base64($0, room, source, count, variant) != nil
                    }
                }
            }
        }
    }

    /// Appends the bytes that `text` stands for, and says whether it is base64.
    ///
    /// The C function is `sodium_base642bin`, which refuses wrong padding, stray bits and white space.
    func appendDecoded(_ text: Span<UInt8>, room: Int, to output: inout OutputSpan<UInt8>) -> Bool {
        Sodium.start()
        var written = 0
        let isWhole = unsafe output.tryAppend(room) { target in
            unsafe text.withPointer { source, count in
                unsafe source.withMemoryRebound(to: CChar.self, capacity: count) {
                    unsafe sodium_base642bin(target, room, $0, count, nil, &written, nil, variant) == 0
                }
            }
        }
        if isWhole { output.removeLast(room - written) }
        return isWhole
    }
}
