#if CommandLine
/// A command's help, in the order in which a person reads it: what the verb takes, its own options, the vault's, the output's.
struct HelpText {
    private let sections: [Substring]

    /// The parser puts the verb's own options behind the groups that have a title.
    init(_ text: String) {
        let sections = text.split(separator: "\n\n")
        let groups = sections.firstIndex { $0.hasPrefix("VAULT OPTIONS:") || $0.hasPrefix("OUTPUT OPTIONS:") }
        guard let own = sections.firstIndex(where: { $0.hasPrefix("OPTIONS:") }), let groups, groups < own
        else {
            self.sections = sections
            return
        }
        self.sections =
            sections[..<groups] + [sections[own]] + sections[groups..<own] + sections[(own + 1)...]
    }

    func ending(with last: String) -> String {
        let text = sections.joined(separator: "\n\n")
        return "\(text)\(text.hasSuffix("\n") ? "" : "\n")\n\(last)"
    }
}
#endif
