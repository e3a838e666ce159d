internal import ArgumentParser
internal import CloserWire

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
                    joined == nil && option?.isFlag == false
                    && rest.first.map { Self.isValue($0) || Int($0) != nil } == true
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

/// An option, a flag or an operand of a command, as the parser describes it.
struct DeclaredArgument {
    /// With their dashes; empty for an operand.
    let names: [String]
    let isFlag: Bool
    let isOptional: Bool
    let isRepeating: Bool
    /// Whether its value is a path.
    let isPath: Bool
    /// The values that it has; empty if they are not a list.
    let values: [String]
    private let valueName: String

    var isOperand: Bool { names.isEmpty }
    /// What a message calls it.
    var longName: String { names.last { $0.hasPrefix("--") } ?? "<\(valueName)>" }
    /// The form of a help: `--user <id>`, or `<file>`.
    var placeholder: String { isOperand ? longName : "\(longName) <\(valueName)>" }

    /// All that a command has. The parser describes it only for other programs, in JSON.
    static func all(of command: any ParsableCommand.Type) -> [DeclaredArgument] {
        do { _ = try command.parseAsRoot(["--experimental-dump-help"]) } catch {
            let dump = try? JSONValue(parsing: command.message(for: error).utf8)
            return (dump?["command"]?["arguments"]?.array ?? []).map(Self.init)
        }
        return []
    }

    private init(_ value: JSONValue) {
        let isTrue = { (name: String) in if case .bool(true) = value[name] { true } else { false } }
        names = (value["names"]?.array ?? []).compactMap { name in
            name["name"]?.string.map { name["kind"]?.string == "long" ? "--\($0)" : "-\($0)" }
        }
        isFlag = value["kind"]?.string == "flag"
        (isOptional, isRepeating) = (isTrue("isOptional"), isTrue("isRepeating"))
        isPath = value["completionKind"]?["file"] != nil
        values = (value["allValues"]?.array ?? []).compactMap(\.string)
        valueName = value["valueName"]?.string ?? "value"
    }
}
