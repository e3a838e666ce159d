internal import CCloserSystem

/// Secrets that outlive a process, in the kernel's memory: the login's keyring of Linux, keyrings(7). Linux alone.
///
/// The kernel forgets a secret when its time is over. A process that can read the keyring can keep a copy.
package enum Keyring {
    /// The system refuses to keep a secret here, or to give it back.
    package struct Unavailable: Error {
        package let reason: String
    }

    /// A secret that is there now.
    package struct Kept {
        fileprivate let number: Int32
    }

    /// More of ours than a user can have by the kernel's usual limit of 200 keys.
    private static let room = 256

    /// Whether the system has a keyring for this login.
    package static func check() throws(Unavailable) { _ = try all(beginning: "") }

    /// Keeps a secret for so many seconds. One of the same name is replaced.
    package static func add(_ secret: Span<UInt8>, named name: String, seconds: UInt32) throws(Unavailable) {
        try expectZero(
            unsafe secret.withUnsafeBytes {
                let secret = unsafe closer_secret(bytes: $0.baseAddress, count: $0.count)
                return unsafe closer_keyring_add(name, secret, seconds)
            })
    }

    /// Appends a secret of `count` bytes; false if it is gone, or has another size.
    package static func read(_ kept: Kept, _ count: Int, into output: inout OutputSpan<UInt8>) -> Bool {
        unsafe output.withUnsafeMutableBufferPointer { buffer, initialized in
            let place = unsafe UnsafeMutableRawBufferPointer(
                rebasing: UnsafeMutableRawBufferPointer(buffer)[initialized...])
            precondition(place.count >= count, "there is no room for the secret")
            guard unsafe closer_keyring_read(kept.number, place.baseAddress, count) else { return false }
            initialized += count
            return true
        }
    }

    /// Takes it away from all processes that have it.
    package static func remove(_ kept: Kept) throws(Unavailable) {
        try expectZero(closer_keyring_remove(kept.number))
    }

    /// All secrets of this user whose names begin so.
    package static func all(beginning prefix: String) throws(Unavailable) -> [Kept] {
        var numbers = [Int32](repeating: 0, count: room)
        var count = 0
        try expectZero(unsafe closer_keyring_list(prefix, &numbers, numbers.count, &count))
        return numbers.prefix(count).map { Kept(number: $0) }
    }

    private static func expectZero(_ failure: CInt) throws(Unavailable) {
        guard failure == 0 else { throw Unavailable(reason: unsafe String(cString: strerror(failure))) }
    }
}
