/// The rows as a person reads them, in the terminal or in Markdown.
struct Table {
    private static let header = ["work", "who", "µs", "best", "peer / ours", "to reach"]

    private let cells: [[String]]

    init(_ rows: [Row]) {
        cells = rows.flatMap(Self.cells)
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
        let rule = ["---", "---", "---:", "---:", "---:", "---"]
        let lines = ([Self.header, rule] + cells).map { "| \($0.joined(separator: " | ")) |" }
        return lines.joined(separator: "\n")
    }

    private static func cells(of row: Row) -> [[String]] {
        let ours = row.lanes[0].timing
        return row.lanes.enumerated().map { index, lane in
            [
                index == 0 ? row.work : "", lane.name, lane.timing.median.digits, lane.timing.best.digits,
                index == 0 ? "" : (lane.timing.median / ours.median).digits,
                lane.goal?.verdict(ours: ours, peer: lane.timing) ?? "",
            ]
        }
    }

    /// Names to the left, numbers to the right.
    private static func join(_ line: [String], _ widths: [Int]) -> String {
        zip(line, widths).enumerated().map { column, cell in
            let padding = String(repeating: " ", count: cell.1 - cell.0.count)
            return (2...4).contains(column) ? padding + cell.0 : cell.0 + padding
        }.joined(separator: "  ")
    }
}

extension String {
    fileprivate var trimmingEnd: String {
        String(reversed().drop { $0 == " " }.reversed())
    }
}
