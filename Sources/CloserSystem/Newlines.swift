internal import CCloserSystem

extension Span where Element == UInt8 {
    /// The index of the first line feed at or behind `start`; nil if there is none. The C function is `memchr`.
    package func newline(from start: Int) -> Int? {
        unsafe extracting(start..<count).withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return nil }
            guard let found = unsafe memchr(base, CInt(UInt8(ascii: "\n")), buffer.count) else { return nil }
            return unsafe start + (UnsafeRawPointer(found) - UnsafeRawPointer(base))
        }
    }
}
