internal import CCloserSystem

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Android)
    internal import Android
#else
    internal import Darwin
#endif

/// Secrets that outlive a process, in the kernel's memory: keyrings(7) of Linux. Other systems have none.
///
/// The kernel forgets a secret when its time is over, and no disk ever has it.
package enum Keyring {
    /// Whose processes find a secret.
    package enum Reach: CaseIterable, Sendable {
        /// Those of this user, in whatever login.
        case user
        /// Those of this login.
        case login
    }

    /// The system keeps no secret here.
    package struct Unavailable: Error {
        /// What the system said.
        package let reason: String
    }

    /// Keeps `secret` for so many seconds. One of the same name is replaced.
    package static func add(
        _ secret: Span<UInt8>, named name: String, for reach: Reach, seconds: UInt32
    ) throws(Unavailable) {
        let failure = unsafe secret.withUnsafeBytes {
            unsafe closer_keyring_add(reach == .user, name, $0.baseAddress, $0.count, seconds)
        }
        guard failure == 0 else { throw Unavailable(reason: unsafe String(cString: strerror(failure))) }
    }

    /// Appends a secret of `count` bytes; false if there is none of so many. Whoever may write the keyring may have put it there.
    package static func read(
        _ name: String, _ count: Int, for reach: Reach, into output: inout OutputSpan<UInt8>
    ) -> Bool {
        unsafe output.withUnsafeMutableBufferPointer { buffer, initialized in
            let place = unsafe UnsafeMutableRawBufferPointer(
                rebasing: UnsafeMutableRawBufferPointer(buffer)[initialized...])
            precondition(place.count >= count, "there is no room for the secret")
            guard unsafe closer_keyring_read(reach == .user, name, place.baseAddress, count) else {
                return false
            }
            initialized += count
            return true
        }
    }

    /// Takes the secret away, as far as this process finds it.
    package static func remove(_ name: String) {
        for reach in Reach.allCases { unsafe closer_keyring_remove(reach == .user, name) }
    }
}
