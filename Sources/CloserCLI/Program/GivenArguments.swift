internal import ArgumentParser

/// What was typed behind a command's names, held against what the command declares.
///
/// ArgumentParser ends with the first fault that it meets, which is often a consequence of another: a mistyped option is
/// missing where it was meant. Here all arguments are looked at, and the cause is told first. No value is quoted.
struct GivenArguments {
    let command: String
    let declared: [DeclaredArgument]
    var options: [Option] = []
    var operands: [Operand] = []
    var unknown: [String] = []
    /// An option whose value is missing.
    var withoutValue: DeclaredArgument?

    struct Option {
        let declared: DeclaredArgument
        /// Nil for a bare flag.
        let value: String?
    }

    struct Operand {
        let text: String
        /// Counted from 1 behind the program's name.
        let place: Int
        /// What stands before it, if that is a flag.
        let flag: DeclaredArgument?
    }

    /// Behind `--` are operands only; those of a command that takes many are for another program.
    init(_ arguments: ArraySlice<String>, of command: any ParsableCommand.Type, called name: String) {
        (self.command, declared) = (name, DeclaredArgument.all(of: command))
        var rest = arguments.prefix { $0 != "--" }
        while let argument = rest.popFirst() {
            guard argument.hasPrefix("-"), argument != "-" else {
                note(operand: argument, at: rest.startIndex, behind: arguments)
                continue
            }
            note(option: argument, &rest)
        }
        guard !declared.contains(where: { $0.isOperand && $0.isRepeating }) else { return }
        let behind = arguments.drop { $0 != "--" }.dropFirst()
        for place in behind.indices {
            note(operand: behind[place], at: place + 1, behind: arguments)
        }
    }

    private mutating func note(operand text: String, at place: Int, behind arguments: ArraySlice<String>) {
        let before = place - 2
        let flag = arguments.indices.contains(before) ? named(arguments[before]) : nil
        operands.append(
            Operand(text: text, place: place, flag: flag.flatMap { $0.isFlag ? $0 : nil }))
    }

    private mutating func note(option argument: String, _ rest: inout ArraySlice<String>) {
        let (name, joined) = Self.split(argument)
        guard let option = named(name) else {
            if name == Self.completion { _ = rest.popFirst() }
            return Self.ofTheParser.contains(name) ? () : unknown.append(name)
        }
        guard joined == nil, !option.isFlag else {
            return options.append(Option(declared: option, value: joined))
        }
        guard let value = rest.first, value == "-" || !value.hasPrefix("-") else {
            return withoutValue = withoutValue ?? option
        }
        options.append(Option(declared: option, value: rest.removeFirst()))
    }

    private func named(_ name: String) -> DeclaredArgument? { declared.first { $0.names.contains(name) } }

    /// The name, and a value that is joined to it: `--vault=a.db`, or `-oa.db`.
    static func split(_ argument: String) -> (name: String, value: String?) {
        guard argument.hasPrefix("--") else {
            let value = argument.dropFirst(2)
            return (String(argument.prefix(2)), value.isEmpty ? nil : String(value))
        }
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        return (String(parts[0]), parts.count == 2 ? String(parts[1]) : nil)
    }

    private static let completion = "--generate-completion-script"
    private static let ofTheParser = [
        "--help", "-h", "--help-hidden", "--version", completion, "--experimental-dump-help",
    ]
}
