import Foundation

/// What a run found, as files that can be kept: RESULTS.md for people, results.json for the plot.
struct Results: Encodable {
    let machine: Machine
    let rows: [Row]

    func write(into folder: String) throws {
        let folder = URL(filePath: folder)
        try Data(markdown.utf8).write(to: folder.appending(path: "RESULTS.md"))
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        try encoder.encode(self).write(to: folder.appending(path: "results.json"))
    }

    private var markdown: String {
        let machine = machine.lines.map { "- \($0)" }
        let plots = ["ratios", "growth"].map { "![\($0)](\($0).svg)" }
        let parts = [
            [
                "# How fast it was", "",
                "Written by `make bench`. Ratios are of one run; do not compare times of two machines.", "",
            ],
            machine, [""], plots, ["", Table(rows).markdown, ""], Notes.lines(of: rows),
        ]
        return parts.joined().joined(separator: "\n") + "\n"
    }
}

extension Row: Encodable {
    private enum Key: CodingKey { case work, growth, lanes }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(work, forKey: .work)
        try container.encodeIfPresent(growth, forKey: .growth)
        try container.encode(lanes.map { Point($0, ours: lanes[0].timing) }, forKey: .lanes)
    }

    /// What the plot has of a lane.
    private struct Point: Encodable {
        let name: String
        let median: Double
        let spread: Double
        let ratio: Double
        let middleHalf: [Double]
        let peakBytes: Int?
        /// The goal as a ratio of peer to ours; nil for a goal that is none.
        let goalRatio: Double?
        let isMet: Bool?

        init(_ lane: Lane, ours: Timing) {
            (name, median, spread, peakBytes) = (
                lane.name, lane.timing.median, lane.timing.spread, lane.peakBytes
            )
            let ratios = lane.timing.ratios(to: ours)
            (ratio, middleHalf) = (ratios.median, [ratios.quantile(0.25), ratios.quantile(0.75)])
            goalRatio = lane.goal?.ratio
            isMet = lane.goal?.isMet(ours: ours, peer: lane.timing)
        }
    }
}

extension Goal {
    fileprivate var ratio: Double? {
        switch self {
        case .faster(let least): least
        case .share(let most): 1 / most
        case .time, .more, .growth: nil
        }
    }
}
