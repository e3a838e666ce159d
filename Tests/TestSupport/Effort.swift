internal import Foundation

/// How much a test does where more of the same proves more: more kills, more random cases, more lines.
public enum Effort {
    /// `make test` takes what a newcomer waits for, `make check` all of it.
    public static let isFull = ProcessInfo.processInfo.environment["CLOSER_KEYS_EFFORT"] == "full"

    /// How many random inputs each operation gets where two implementations are compared.
    public static let differentialCount =
        ProcessInfo.processInfo.environment["CLOSER_KEYS_DIFFERENTIAL"].flatMap { Int($0) } ?? 1000

    /// A count for `make test`, and the one for `make check`.
    public static func count(_ few: Int, full: Int) -> Int { isFull ? full : few }

    /// Every `step`th of them, beginning with the first, for `make test`, and all of them for `make check`.
    public static func some<Item>(of items: [Item], everyOther step: Int) -> [Item] {
        isFull ? items : stride(from: 0, to: items.count, by: step).map { items[$0] }
    }
}
