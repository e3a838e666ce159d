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
    private let valueName: String

    var isOperand: Bool { names.isEmpty }

    /// The form of a help: `--user <id>`, or `<file>`.
    var placeholder: String { isOperand ? "<\(valueName)>" : "\(longName) <\(valueName)>" }
    /// What a message calls it.
    var longName: String { names.last { $0.hasPrefix("--") } ?? "<\(valueName)>" }

    /// All that a command accepts. The parser describes it only in JSON.
    static func all(of command: any ParsableCommand.Type) -> [DeclaredArgument] {
        let dump = try? JSONValue(parsing: command._dumpHelp().utf8)
        return (dump?["command"]?["arguments"]?.array ?? []).map(Self.init)
    }

    private init(_ value: JSONValue) {
        names = (value["names"]?.array ?? []).compactMap { name in
            name["name"]?.string.map { name["kind"]?.string == "long" ? "--\($0)" : "-\($0)" }
        }
        isFlag = value["kind"]?.string == "flag"
        isOptional = value["isOptional"]?.isTrue ?? true
        isRepeating = value["isRepeating"]?.isTrue ?? false
        isPath = value["completionKind"]?["file"] != nil
        valueName = value["valueName"]?.string ?? "value"
    }
}

extension JSONValue {
    fileprivate var isTrue: Bool { if case .bool(true) = self { true } else { false } }
}
