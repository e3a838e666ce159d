#if CLOSER_LIBCRYPTO
internal import CCloserLibcrypto

// P-256 as libcrypto computes it: one cached group, and owners of numbers and points that wipe them.

@safe private enum Curve {
    /// The group of the curve, which is only read once it is made.
    nonisolated(unsafe) static let group = unsafe owned(
        .allocate, EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1))
}

/// Owns a `BIGNUM` that holds a secret scalar, and clears it. The flag asks libcrypto for constant time.
@safe struct LibcryptoScalar: ~Copyable {
    fileprivate let number: OpaquePointer

    init(_ bytes: borrowing SecretBytes) {
        unsafe number = owned(.allocate, BN_new())
        unsafe BN_set_flags(number, BN_FLG_CONSTTIME)
        bytes.withBytes { bytes in
            let filled = unsafe bytes.withPointer { unsafe BN_bin2bn($0, CInt($1), number) }
            unsafe expectOne(.number, filled == nil ? 0 : 1)
        }
    }

    deinit { unsafe BN_clear_free(number) }
}

/// Owns an `EC_POINT`, and clears it: it may be a shared secret.
///
/// Safe to share between threads: a point is constant after it is made, and libcrypto takes it as `const`.
@safe struct LibcryptoPoint: ~Copyable, @unchecked Sendable {
    private let point: OpaquePointer

    private init() { unsafe point = owned(.allocate, EC_POINT_new(Curve.group)) }

    /// Decodes SEC 1 §2.3.4; nil if a coordinate is not below p or the point is not on the curve.
    /// The C function is `EC_POINT_oct2point`.
    init?(decoding bytes: Span<UInt8>) {
        self.init()
        let status = unsafe bytes.withPointer {
            unsafe EC_POINT_oct2point(Curve.group, point, $0, $1, nil)
        }
        guard status == 1 else {
            ERR_clear_error()
            return nil
        }
    }

    /// k·G. The C function is `EC_POINT_mul`.
    init(generatorTimes scalar: borrowing LibcryptoScalar) {
        self.init()
        unsafe expectOne(.point, EC_POINT_mul(Curve.group, point, scalar.number, nil, nil, nil))
    }

    /// Appends the x coordinate of k·P, 32 bytes.
    borrowing func appendAgreement(
        with scalar: borrowing LibcryptoScalar, to output: inout OutputSpan<UInt8>
    ) {
        let product = multiplied(by: scalar)
        let encoded = SecretBytes(shortLived: 65) { product.appendUncompressed(to: &$0) }
        encoded.withBytes { output.append(copying: $0.extracting(1..<33)) }
    }

    /// k·P. The cofactor is 1, so a point on the curve has full order, and the result is finite.
    private borrowing func multiplied(by scalar: borrowing LibcryptoScalar) -> LibcryptoPoint {
        let product = LibcryptoPoint()
        unsafe expectOne(.point, EC_POINT_mul(Curve.group, product.point, nil, point, scalar.number, nil))
        return product
    }

    /// Appends SEC 1 §2.3.3's uncompressed form, 65 bytes: `04 ‖ X ‖ Y`.
    borrowing func appendUncompressed(to output: inout OutputSpan<UInt8>) {
        unsafe output.append(P256.PointFormat.uncompressed.byteCount) { target in
            let count = P256.PointFormat.uncompressed.byteCount
            let form = POINT_CONVERSION_UNCOMPRESSED
            return unsafe EC_POINT_point2oct(Curve.group, point, form, target, count, nil) == count
        }
    }

    deinit { unsafe EC_POINT_clear_free(point) }
}
#endif
