internal import CloserWire

// What is wrong with the arguments as a whole.

extension GivenArguments {
    /// The fault that explains the others. The parser's `text` quotes values, so only names that a verb declares are taken from it.
    func fault(_ text: String) -> CLIError {
        wrongValue(text) ?? unknown ?? valueOfFlag ?? silentFault ?? missingValue ?? missing ?? unexpected
            ?? emptyValue
            ?? CLIError(.usage, text.hasPrefix("the option --") ? text : "wrong arguments", hint: help)
    }

    /// A fault that the parser lets pass: a path of no characters, or an option with two values, of which it takes the last.
    var silentFault: CLIError? { emptyPath ?? twoValues }

    private var help: String { "\(command) --help" }

    private func wrongValue(_ text: String) -> CLIError? {
        let wrong = declared.first { text.contains(" is invalid for '\($0.placeholder)'") }
        guard let wrong else { return nil }
        let values = "it is one of: \(wrong.values.joined(separator: ", "))"
        let form = wrong.placeholder.hasSuffix("<time>") ? TimeSpan.words : "a number, in digits"
        return CLIError(
            .usage, "the value for '\(wrong.placeholder)' is invalid",
            hint: wrong.values.isEmpty ? "it takes \(form)" : values)
    }

    private var unknown: CLIError? {
        guard let name = options.first(where: { $0.declared == nil })?.name else { return nil }
        let isShown = name.utf8.allSatisfy { "abcdefghijklmnopqrstuvwxyz0123456789-".utf8.contains($0) }
        return CLIError(
            .usage, isShown ? "unknown option '\(name)'" : "unknown option",
            hint: FormerNames.hint(name) ?? near(name).map { "did you mean \($0)?" } ?? help)
    }

    /// The option that was probably meant: the only one that begins so, or one of similar letters.
    private func near(_ name: String) -> String? {
        let names = declared.flatMap(\.names).filter { $0.hasPrefix("--") }
        let begun = names.filter { $0.hasPrefix(name.hasPrefix("--") ? name : "-\(name)") }
        return begun.count == 1 ? begun[0] : name.hasPrefix("--") ? NearName.of(name, among: names) : nil
    }

    private var valueOfFlag: CLIError? {
        options.first { $0.declared?.isFlag == true && $0.value != nil }.map {
            CLIError(.usage, "\($0.name) takes no value", hint: help)
        }
    }

    private var emptyPath: CLIError? {
        let option = options.first { $0.declared?.isPath == true && $0.value == "" }?.declared
        let operand = declared.first { $0.isOperand && $0.isPath }
        let empty = option ?? (operands.contains { $0.text.isEmpty } ? operand : nil)
        return empty.map {
            CLIError(.usage, "\($0.longName) is empty", hint: "name a file; a shell variable may be unset")
        }
    }

    /// Values are compared byte for byte: a path may be spelled with composed and with decomposed accents.
    private var twoValues: CLIError? {
        var values: [String: [UInt8]] = [:]
        for option in options {
            guard let name = option.declared?.longName, option.declared?.isRepeating == false,
                let value = option.value.map({ Array($0.utf8) }),
                let earlier = values.updateValue(value, forKey: name), earlier != value
            else { continue }
            return CLIError(.usage, "\(name) is given twice, with two values", hint: "give it once")
        }
        return nil
    }

    private var missingValue: CLIError? {
        options.first { $0.declared?.isFlag == false && $0.value == nil }?.declared.map {
            CLIError(.usage, "missing value for '\($0.placeholder)'", hint: help)
        }
    }

    /// The parser takes `--place=` for an option without a value.
    private var emptyValue: CLIError? {
        options.first { $0.value == "" }?.declared.map {
            CLIError(.usage, "\($0.longName) is empty", hint: help)
        }
    }

    private var missing: CLIError? {
        let given = Set(options.compactMap(\.declared?.longName))
        let needed = declared.filter { !$0.isOptional }
        let missing =
            needed.filter { !$0.isOperand && !given.contains($0.longName) }
            + needed.filter(\.isOperand).dropFirst(operands.count)
        guard !missing.isEmpty else { return nil }
        let names = missing.map { "'\($0.placeholder)'" }.joined(separator: ", ")
        return CLIError(
            .usage, "missing expected argument\(missing.count == 1 ? "" : "s") \(names)", hint: help)
    }

    private var unexpected: CLIError? {
        let allowed = declared.filter(\.isOperand)
        let first = operands.dropFirst(allowed.count).first
        guard let first, !allowed.contains(where: \.isRepeating) else { return nil }
        let taken = allowed.isEmpty ? "only" : allowed.map { "\($0.placeholder) and" }.joined(separator: " ")
        return CLIError(
            .usage, "unexpected argument, the word \(first.place): \(command) takes \(taken) its options",
            hint: help)
    }
}
