/// A command's help, in the order in which a person reads it: what the verb needs, its own options, the vault's, the output's.
struct HelpText {
    private var sections: [String]

    /// The parser puts all of the verb's own options together, and behind the groups that have a title.
    init(_ text: String) {
        sections = text.split(separator: "\n\n").map {
            $0.hasSuffix("\n") ? String($0.dropLast()) : String($0)
        }
        guard let own = sections.firstIndex(where: { $0.hasPrefix("OPTIONS:\n") }) else { return }
        let names = Self.neededNames(sections.first { $0.hasPrefix("USAGE: ") } ?? "")
        let options = Self.options(of: sections.remove(at: own))
        let needed = options.filter { option in names.contains { option.hasPrefix("  \($0) ") } }
        let groups = sections.firstIndex { $0.hasPrefix("VAULT OPTIONS:") || $0.hasPrefix("OUTPUT OPTIONS:") }
        let lists = [
            ("REQUIRED OPTIONS:", needed), ("OPTIONS:", options.filter { !needed.contains($0) }),
        ]
        sections.insert(
            contentsOf: lists.filter { !$1.isEmpty }.map { ([$0] + $1).joined(separator: "\n") },
            at: groups ?? own)
    }

    func ending(with last: String) -> String { (sections + [last]).joined(separator: "\n\n") }

    /// What a usage line has outside of brackets.
    private static func neededNames(_ usage: String) -> [Substring] {
        var depth = 0
        let outside = usage.filter { character in
            if character == "[" { depth += 1 }
            defer { if character == "]" { depth -= 1 } }
            return depth == 0
        }
        return outside.split(separator: " ").filter { $0.hasPrefix("--") && $0 != "--" }
    }

    /// Each option with the lines that explain it.
    private static func options(of section: String) -> [String] {
        section.split(separator: "\n").dropFirst().reduce(into: []) { options, line in
            if line.hasPrefix("  -") || options.isEmpty {
                options.append(String(line))
            } else {
                options[options.count - 1] += "\n\(line)"
            }
        }
    }
}
