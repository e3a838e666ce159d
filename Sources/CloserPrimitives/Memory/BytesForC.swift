#if canImport(Clibsodium)
internal import Clibsodium
#else
internal import CCloserSodium
#endif

// How bytes are lent to C and how C writes them: an address for every span, room checked before the call, and
// the output of a failed call wiped. All three libraries of C go through these functions.

extension Span where Element == UInt8 {
    /// Lends the bytes as C wants them: with an address even when they are empty.
    @unsafe func withPointer<Result>(_ body: (UnsafePointer<UInt8>, Int) -> Result) -> Result {
        unsafe withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress else {
                var none: UInt8 = 0
                return unsafe body(&none, 0)
            }
            return unsafe body(base, buffer.count)
        }
    }
}

extension OutputSpan where Element == UInt8 {
    mutating func append(copying bytes: Span<UInt8>) {
        for index in bytes.indices { append(bytes[index]) }
    }

    /// Lets a C function write exactly `byteCount` bytes. No input makes such a function fail: if it does, the
    /// library is broken, and the process ends.
    @unsafe mutating func append(_ byteCount: Int, by write: (UnsafeMutablePointer<UInt8>) -> Bool) {
        let isWritten = unsafe tryAppend(byteCount, by: write)
        precondition(isWritten, "a C library failed to write \(byteCount) bytes")
    }

    /// Appends what a function writes that fails on some inputs. Then what it wrote is wiped, the output stays as it was, and the
    /// result is false.
    @unsafe mutating func tryAppend(_ byteCount: Int, by write: (UnsafeMutablePointer<UInt8>) -> Bool) -> Bool
    {
        precondition(byteCount <= freeCapacity, "the output has no room for \(byteCount) bytes")
        return unsafe withUnsafeMutableBufferPointer { buffer, used in
            // An empty buffer lacks an address, and C wants one.
            guard let base = buffer.baseAddress else { return unsafe withNoBytes(write) }
            guard unsafe write(base + used) else {
                unsafe sodium_memzero(base + used, byteCount)
                return false
            }
            used += byteCount
            return true
        }
    }

    /// Takes back the last `byteCount` bytes and wipes them: a plaintext that failed authentication stays here.
    mutating func wipeLast(_ byteCount: Int) {
        unsafe withUnsafeMutableBufferPointer { buffer, used in
            used -= byteCount
            guard let base = buffer.baseAddress else { return }
            unsafe sodium_memzero(base + used, byteCount)
        }
    }
}

private func withNoBytes(_ write: (UnsafeMutablePointer<UInt8>) -> Bool) -> Bool {
    var none: UInt8 = 0
    return unsafe write(&none)
}
