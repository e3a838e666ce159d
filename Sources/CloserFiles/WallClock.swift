#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Android)
    internal import Android
#else
    internal import Darwin
#endif

/// The time of day, as this machine has it.
package enum WallClock {
    /// Seconds since 1970.
    package static var now: UInt64 { UInt64(max(0, time(nil))) }
}
