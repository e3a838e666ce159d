internal import ArgumentParser
internal import CloserWire

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
