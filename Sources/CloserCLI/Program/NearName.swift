/// Guesses which name a mistyped one stands for. Only the program's own names are compared: the words of
/// a phrase have their own search, which copies nothing.
enum NearName {
    /// The name that takes the fewest edits to get from `typed`; nil if even that takes more than one edit for each three letters.
    static func of(_ typed: String, among names: [String]) -> String? {
        let letters = Array(typed.utf8)
        guard letters.count <= longest else { return nil }
        let distances = names.map { (name: $0, edits: edits(from: letters, to: Array($0.utf8))) }
        guard let nearest = distances.min(by: { $0.edits < $1.edits }) else { return nil }
        return nearest.edits <= max(1, letters.count / 3) ? nearest.name : nil
    }

    /// Longer than every name that we have, and short enough to be compared with all of them at once.
    private static let longest = 64

    /// How many letters must be inserted, removed, replaced or swapped with their neighbour.
    private static func edits(from typed: [UInt8], to name: [UInt8]) -> Int {
        var before: [Int] = []
        var last = Array(0...name.count)
        for row in typed.indices {
            var current = [row + 1]
            for column in name.indices {
                let replaced = last[column] + (typed[row] == name[column] ? 0 : 1)
                var least = min(replaced, last[column + 1] + 1, current[column] + 1)
                if row > 0, column > 0, typed[row] == name[column - 1], typed[row - 1] == name[column] {
                    least = min(least, before[column - 1] + 1)
                }
                current.append(least)
            }
            (before, last) = (last, current)
        }
        return last[name.count]
    }
}
