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
/// The kernel forgets a secret when its time is over. Whoever can read the keyring can keep a copy.
package enum Keyring {
    /// Whose processes find a secret.
    package enum Reach: String, CaseIterable, Sendable {
        /// Those of this login.
        case login
        /// Those of this user, in whatever login.
        case user

        fileprivate var isUser: Bool { self == .user }
    }

    /// The system keeps no secret here, or does not let us take one back.
    package struct Unavailable: Error {
        /// What the system said.
        package let reason: String
    }

    /// A secret that is there now.
    package struct Kept {
        fileprivate let number: Int32
        package let reach: Reach
    }

    /// More of ours than a user can have in a keyring by the kernel's usual limit of 200 keys.
    private static let room = 256

    /// Whether the system has a keyring for us.
    package static func check(_ reach: Reach) throws(Unavailable) { _ = try list("", reach, isPrefix: true) }

    /// Keeps `secret` for so many seconds, which ``settle(_:seconds:)`` can change once. One of the same name is replaced.
    package static func add(
        _ secret: Span<UInt8>, named name: String, for reach: Reach, seconds: UInt32
    ) throws(Unavailable) -> Kept {
        var number: Int32 = 0
        try expectZero(
            unsafe secret.withUnsafeBytes {
                let secret = unsafe closer_secret(bytes: $0.baseAddress, count: $0.count)
                return unsafe closer_keyring_add(reach.isUser, name, secret, seconds, &number)
            })
        return Kept(number: number, reach: reach)
    }

    /// Lets it stay for so many seconds from now. Afterwards nobody can prolong it. Fails if it is not there any more.
    package static func settle(_ kept: Kept, seconds: UInt32) throws(Unavailable) {
        try expectZero(closer_keyring_settle(kept.reach.isUser, kept.number, seconds))
    }

    /// The secret of a name, if this user has put it there and its time is not over.
    package static func find(_ name: String, for reach: Reach) -> Kept? {
        (try? all(named: name, for: reach))?.first
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

    /// Takes it away from all who have it.
    package static func remove(_ kept: Kept) throws(Unavailable) {
        try expectZero(closer_keyring_remove(kept.number))
    }

    /// All secrets of this user whose names begin so, in the keyring itself.
    package static func all(beginning prefix: String, for reach: Reach) throws(Unavailable) -> [Kept] {
        try list(prefix, reach, isPrefix: true)
    }

    /// All of one name.
    package static func all(named name: String, for reach: Reach) throws(Unavailable) -> [Kept] {
        try list(name, reach, isPrefix: false)
    }

    private static func list(_ name: String, _ reach: Reach, isPrefix: Bool) throws(Unavailable) -> [Kept] {
        var numbers = [Int32](repeating: 0, count: room)
        var count = 0
        try expectZero(
            unsafe closer_keyring_list(reach.isUser, name, isPrefix, &numbers, numbers.count, &count))
        return numbers.prefix(count).map { Kept(number: $0, reach: reach) }
    }

    private static func expectZero(_ failure: CInt) throws(Unavailable) {
        guard failure == 0 else { throw Unavailable(reason: unsafe String(cString: strerror(failure))) }
    }
}
