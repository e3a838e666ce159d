internal import ArgumentParser

/// What was typed behind a command's names, held against what the command declares.
///
/// ArgumentParser ends with the first fault that it meets, which is often a consequence of another: a mistyped option is
/// missing where it was meant. Here all arguments are looked at, and the cause is told first. No value is quoted.
struct GivenArguments {
    let command: String
    let declared: [DeclaredArgument]
    /// Without a declaration, it is unknown; without a value, it is a flag, or the value is missing.
    private(set) var options: [(name: String, declared: DeclaredArgument?, value: String?)] = []
    /// Each with its place, counted from 1 behind the program's name.
    private(set) var operands: [(text: String, place: Int)] = []

    /// Behind `--` are operands only; those of a command that takes many are for another program.
    init(_ arguments: ArraySlice<String>, of command: any ParsableCommand.Type, called name: String) {
        (self.command, declared) = (name, DeclaredArgument.all(of: command))
        var rest = arguments.prefix { $0 != "--" }
        while let argument = rest.popFirst() {
            if Self.isValue(argument) {
                operands.append((argument, rest.startIndex))
            } else {
                let (name, joined) = Self.split(argument)
                let option = declared.first { $0.names.contains(name) }
                let takesNext =
                    joined == nil && option?.isFlag == false && rest.first.map(Self.isValue) == true
                options.append((name, option, takesNext ? rest.removeFirst() : joined))
            }
        }
        guard !declared.contains(where: { $0.isOperand && $0.isRepeating }) else { return }
        let behind = arguments.indices.drop { arguments[$0] != "--" }.dropFirst()
        operands += behind.map { (arguments[$0], $0 + 1) }
    }

    private static func isValue(_ argument: String) -> Bool { !argument.hasPrefix("-") || argument == "-" }

    /// The name, and a value that is joined to it: `--vault=a.db`, or `-oa.db`.
    static func split(_ argument: String) -> (name: String, value: String?) {
        let isLong = argument.hasPrefix("--")
        let name = isLong ? argument.prefix { $0 != "=" } : argument.prefix(2)
        let value = argument.dropFirst(name.count + (isLong ? 1 : 0))
        return (String(name), name == argument ? nil : String(value))
    }
}
