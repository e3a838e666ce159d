/// The rows as a person reads them, in the terminal or in Markdown.
struct Table {
    private static let header = [
        "work", "who", "µs", "±", "best", "MiB", "peer / ours", "middle half", "to reach", "reached", "",
    ]
    /// Those of numbers.
    private static let numbers = 2...7

    private let cells: [[String]]

    init(_ rows: [Row]) {
        cells = rows.flatMap { row in row.lanes.indices.map { Self.cells(of: row, $0) } }
    }

    /// Columns side by side, a line under the header.
    var text: String {
        let lines = [Self.header] + cells
        let widths = Self.header.indices.map { column in lines.map { $0[column].count }.max() ?? 0 }
        let padded = lines.map { line in Self.join(line, widths).trimmingEnd }
        let rule = String(repeating: "-", count: widths.reduce(0) { $0 + $1 + 2 })
        return ([padded[0], rule] + padded.dropFirst()).joined(separator: "\n")
    }

    var markdown: String {
        let rule = Self.header.indices.map { Self.numbers.contains($0) ? "---:" : "---" }
        let lines = ([Self.header, rule] + cells).map { "| \($0.joined(separator: " | ")) |" }
        return lines.joined(separator: "\n")
    }

    private static func cells(of row: Row, _ index: Int) -> [String] {
        let (ours, lane) = (row.lanes[0].timing, row.lanes[index])
        let (isOurs, timing, ratios) = (index == 0, lane.timing, lane.timing.ratios(to: ours))
        return [
            isOurs ? row.work : "", lane.name, timing.median.digits,
            "\((timing.spread * 100).rounded().plain) %",
            timing.best.digits, lane.peakBytes.map { (Double($0) / 0x10_0000).tenths } ?? "",
            isOurs ? "" : ratios.median.digits,
            isOurs ? "" : "\(ratios.quantile(0.25).digits)–\(ratios.quantile(0.75).digits)",
        ] + goal(of: lane, ours)
    }

    private static func goal(of lane: Row.Lane, _ ours: Timing) -> [String] {
        guard let goal = lane.goal else { return ["", "", ""] }
        let isMet = goal.isMet(ours: ours, peer: lane.timing)
        return [goal.words, goal.reached(ours: ours, peer: lane.timing).digits, isMet ? "met" : "missed"]
    }

    /// Names to the left, numbers to the right.
    private static func join(_ line: [String], _ widths: [Int]) -> String {
        zip(line, widths).enumerated().map { column, cell in
            let padding = String(repeating: " ", count: cell.1 - cell.0.count)
            return numbers.contains(column) ? padding + cell.0 : cell.0 + padding
        }.joined(separator: "  ")
    }
}

extension String {
    fileprivate var trimmingEnd: String {
        String(reversed().drop { $0 == " " }.reversed())
    }
}
