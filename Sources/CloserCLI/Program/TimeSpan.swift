internal import ArgumentParser
internal import CloserWire

/// How long something lasts, as people write it: digits and a unit, as in `90s`, `15m` or `2h`.
struct TimeSpan: ExpressibleByArgument, CustomStringConvertible {
    let description: String
    let seconds: Int

    /// What it is, after "it takes".
    static let words = "a number and s, m or h, such as 8h"
    private static let units: [(name: String, seconds: Int)] = [("s", 1), ("m", 60), ("h", 3600)]

    init(_ description: String, seconds: Int) { (self.description, self.seconds) = (description, seconds) }

    init?(argument: String) {
        guard let unit = Self.units.first(where: { argument.hasSuffix($0.name) }),
            let count = Int(argument.dropLast()), (0...1_000_000).contains(count),
            argument.utf8.first != UInt8(ascii: "+")
        else { return nil }
        self.init(argument, seconds: count * unit.seconds)
    }

    /// Refuses a time that `option` does not take.
    func check(_ option: String, within bounds: ClosedRange<Duration>) throws {
        guard bounds.contains(.seconds(seconds)) else {
            throw CLIError(
                .usage, "\(option) is from \(Self.text(bounds.lowerBound)) to \(Self.text(bounds.upperBound))"
            )
        }
    }

    private static func text(_ duration: Duration) -> String {
        let seconds = Int(duration.components.seconds)
        let unit = units.last { seconds % $0.seconds == 0 } ?? units[0]
        return "\(seconds / unit.seconds)\(unit.name)"
    }
}
