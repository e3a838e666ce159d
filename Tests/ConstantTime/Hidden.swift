import CMemcheck
import CloserPrimitives

/// Secrets of which valgrind knows that they are some.
enum Hidden {
    /// Bytes that no branch and no index may depend on.
    static func secret(_ bytes: [UInt8]) -> SecretBytes {
        let secret = SecretBytes(copying: bytes.span)
        secret.withBytes(hide)
        return secret
    }

    static func secret(_ text: String) -> SecretBytes { secret(Array(text.utf8)) }

    /// Runs `body`, and gives by how many errors valgrind has more. What comes of a secret is hidden as the secret is, and nobody
    /// looks at it.
    static func errors<Result: ~Copyable>(in body: () throws -> Result) rethrows -> Int {
        let before = memcheck_error_count()
        keep(try body())
        return memcheck_error_count() - before
    }

    private static func hide(_ bytes: Span<UInt8>) {
        unsafe bytes.withUnsafeBytes { unsafe memcheck_hide($0.baseAddress, $0.count) }
    }

    @inline(never) private static func keep<Result: ~Copyable>(_ result: consuming Result) {}
}
