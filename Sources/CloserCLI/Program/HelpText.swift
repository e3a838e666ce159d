internal import ArgumentParser

/// A command's help, on one screen: options that many commands share are one line, which names the page that explains them.
enum HelpText {
    static func of(_ path: CommandPath) -> String {
        let text = Root.helpMessage(for: path.command).replacing(" SUBCOMMANDS:", with: ":")
        var shared: [String] = []
        // The parser puts the groups with a title first, and its own options last.
        let sections = text.split(separator: "\n\n").compactMap { part -> String? in
            let section = part.hasSuffix("\n") ? part.dropLast() : part
            if section.hasPrefix("VAULT OPTIONS:") || section.hasPrefix("OUTPUT OPTIONS:") {
                shared.append(line(for: section))
                return nil
            }
            guard section.hasPrefix("OPTIONS:") else { return String(section) }
            let own = section.split(separator: "\n  --version ")[0]
            return shared.isEmpty && own == "OPTIONS:"
                ? nil : ([String(own)] + shared).joined(separator: "\n")
        }
        return (sections + [ending(for: path)]).joined(separator: "\n\n")
    }

    /// In place of a section: the names of its options, behind where they are explained.
    private static func line(for section: Substring) -> String {
        let lines = section.split(separator: "\n").filter { $0.hasPrefix("  -") }
        var names = lines.compactMap { $0.split(separator: " ").first { $0.hasPrefix("--") } }
        if names.count > 4 { names[3...] = ["…"] }
        let title = section.hasPrefix("VAULT") ? "  vault, closer-keys(1)   " : "  output, closer-keys(1)  "
        return title + names.joined(separator: " ")
    }

    private static func ending(for path: CommandPath) -> String {
        let words = path.names.dropFirst()
        let hasPage = words.first.map { !CommandExample.withoutPage.contains($0) } ?? false
        let manual = "man closer-keys" + (hasPage ? "-\(words.first ?? "")" : "")
        guard path.command.configuration.subcommands.isEmpty else { return "MANUAL: \(manual)" }
        let verb = words.joined(separator: " ")
        return "EXAMPLE: closer-keys \(CommandExample.lines[verb] ?? verb)\nMANUAL:  \(manual)"
    }
}
