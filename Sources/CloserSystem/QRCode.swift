#if !CLOSER_APPLE
internal import CCloserQRencode
#endif

/// Bytes as a square of dark and light modules, for a scanner (ISO/IEC 18004).
///
/// A picture of it needs four light modules on each side, and is drawn above; this holds the modules alone.
package struct QRCode: Equatable, Sendable {
    /// How many modules a side has: 21 to 177.
    package let width: Int
    /// Row by row.
    private let isDark: [Bool]

    /// 2331 bytes: the most that a code holds at level M, which a scanner reads with 15 % of it spoiled.
    package static let maximumByteCount = 2331

    /// Takes any bytes, in the smallest code that holds them; nil for an empty input, for more than a code holds, and without libqrencode.
    ///
    /// The C function is `QRcode_encodeData`.
    package init?(_ bytes: [UInt8]) {
        #if CLOSER_APPLE
        return nil
        #else
        guard (1...Self.maximumByteCount).contains(bytes.count) else { return nil }
        let code = unsafe bytes.withUnsafeBufferPointer {
            unsafe QRcode_encodeData(CInt($0.count), $0.baseAddress, 0, QR_ECLEVEL_M)
        }
        guard let code = unsafe code else { return nil }
        defer { unsafe QRcode_free(code) }
        width = unsafe Int(code.pointee.width)
        // The lowest bit is the colour, the others say what the module is for.
        isDark = unsafe UnsafeBufferPointer(start: code.pointee.data, count: width * width).map {
            $0 & 1 == 1
        }
        #endif
    }

    /// The version of libqrencode that is loaded; nil on Apple's systems, where no code is drawn: Package.swift says why.
    ///
    /// The C function is `QRcode_APIVersionString`.
    package static var libraryVersion: String? {
        #if CLOSER_APPLE
        nil
        #else
        unsafe String(cString: QRcode_APIVersionString())
        #endif
    }

    /// Whether a module is dark. Beyond the square all is light.
    package func isDark(row: Int, column: Int) -> Bool {
        guard (0..<width).contains(row), (0..<width).contains(column) else { return false }
        return isDark[row * width + column]
    }
}
