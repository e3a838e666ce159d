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

    /// Appends a secret of `count` bytes, and says who may find it; nil if there is none of so many.
    package static func read(
        _ name: String, _ count: Int, into output: inout OutputSpan<UInt8>
    ) -> Reach? {
        let reach = Reach.allCases.first { reach in
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
        return reach
    }

    /// Takes the secret away from everybody; false if there was none.
    @discardableResult
    package static func remove(_ name: String) -> Bool {
        Reach.allCases.filter { unsafe closer_keyring_remove($0 == .user, name) }.isEmpty == false
    }
}
