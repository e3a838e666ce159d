internal import CloserWire

/// A picture in black and white as PNG (ISO/IEC 15948): one bit a pixel, in stored blocks.
///
/// A compressor would save 15 KB in one picture, but be loaded at every start of the program.
enum PNG {
    /// Draws a picture: `isDark` tells of each pixel, by column and row, whether it is dark.
    static func bytes(width: Int, height: Int, isDark: (Int, Int) -> Bool) -> [UInt8] {
        var header: [UInt8] = []
        header.append(bigEndian: UInt32(width))
        header.append(bigEndian: UInt32(height))
        header += [1, 0, 0, 0, 0]  // one bit of grey; deflate, the one set of filters, no interlace
        let rows = (0..<height).flatMap { row in [UInt8(0)] + packed(width) { isDark($0, row) } }
        return [0x89] + Array("PNG\r\n\u{1A}\n".utf8)
            + chunk("IHDR", header) + chunk("IDAT", zlib(rows)) + chunk("IEND", [])
    }

    /// Eight pixels a byte, the first in the highest bit. Dark is 0.
    private static func packed(_ width: Int, isDark: (Int) -> Bool) -> [UInt8] {
        stride(from: 0, to: width, by: 8).map { start in
            (0..<8).reduce(UInt8(0)) { $0 << 1 | (start + $1 < width && !isDark(start + $1) ? 1 : 0) }
        }
    }

    private static func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
        var chunk: [UInt8] = []
        chunk.append(bigEndian: UInt32(content.count))
        let checked = Array(type.utf8) + content
        chunk += checked
        chunk.append(bigEndian: crc32(checked))
        return chunk
    }

    /// RFC 1950 around RFC 1951 §3.2.4: blocks of at most 65535 bytes, as they are.
    private static func zlib(_ bytes: [UInt8]) -> [UInt8] {
        var stream: [UInt8] = [0x78, 0x01]
        for start in stride(from: 0, to: bytes.count, by: 65535) {
            let block = bytes[start...].prefix(65535)
            let (low, high) = (UInt8(block.count & 0xFF), UInt8(block.count >> 8))
            stream += [start + block.count == bytes.count ? 1 : 0, low, high, ~low, ~high] + block
        }
        stream.append(bigEndian: adler32(bytes))
        return stream
    }

    private static func adler32(_ bytes: [UInt8]) -> UInt32 {
        let (a, b) = bytes.reduce((UInt32(1), UInt32(0))) { sums, byte in
            let a = (sums.0 + UInt32(byte)) % 65521
            return (a, (sums.1 + a) % 65521)
        }
        return b << 16 | a
    }

    private static func crc32(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(UInt32.max) { sum, byte in
            (0..<8).reduce(sum ^ UInt32(byte)) { rest, _ in rest >> 1 ^ (rest & 1 == 1 ? 0xEDB8_8320 : 0) }
        }
    }
}
