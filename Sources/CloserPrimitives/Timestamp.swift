#if canImport(Darwin) || CLOSER_KEYS_FOUNDATION
public import Foundation
#endif

/// A moment in whole seconds, as Unix time: since 1970-01-01 00:00:00 UTC, without leap seconds.
public struct Timestamp: Comparable, Hashable, Sendable {
    /// How many seconds lie between 1970 and the moment.
    public let secondsSince1970: UInt64

    /// Takes the seconds since 1970.
    public init(secondsSince1970: UInt64) { self.secondsSince1970 = secondsSince1970 }

    /// Whether the left one is earlier.
    public static func < (left: Timestamp, right: Timestamp) -> Bool {
        left.secondsSince1970 < right.secondsSince1970
    }

    /// So much later, in whole seconds. `time` is not negative.
    package func advanced(by time: Duration) -> Timestamp {
        Timestamp(secondsSince1970: secondsSince1970 + UInt64(time.components.seconds))
    }
}

#if canImport(Darwin) || CLOSER_KEYS_FOUNDATION
extension Date {
    /// Takes the moment over, to the second.
    public init(_ timestamp: Timestamp) {
        self.init(timeIntervalSince1970: Double(timestamp.secondsSince1970))
    }
}
#endif
