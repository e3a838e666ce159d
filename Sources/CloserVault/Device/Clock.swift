internal import CloserFiles
package import CloserPrimitives

extension Timestamp {
    /// The time of day, as this machine has it.
    package static var now: Timestamp { Timestamp(secondsSince1970: WallClock.now) }

    /// To the minute, for a message: `2026-11-27 14:05 UTC`.
    package var text: String { WallClock.text(secondsSince1970) }
}
