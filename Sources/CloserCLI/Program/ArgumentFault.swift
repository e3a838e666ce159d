internal import ArgumentParser
internal import CloserFiles
internal import CloserWire

// What is wrong with the arguments as a whole.

extension GivenArguments {
    /// Whether the arguments may have a ``silentFault``: to know it, all declarations must be read.
    static func mayHaveSilentFault(_ arguments: ArraySlice<String>) -> Bool {
        let ours = arguments.prefix { $0 != "--" }
        let names = ours.filter { $0.hasPrefix("--") }.map { split($0).name }
        let outputs = outputs(in: ours)
        return Set(names).count < names.count || ours.contains { $0.isEmpty || $0.hasSuffix("=") }
            || outputs.count > 1 || outputs.contains(where: Paths.isRegular)
    }

    private static func outputs(in arguments: ArraySlice<String>) -> [String] {
        zip(arguments, arguments.dropFirst() + [""]).compactMap { argument, next in
            let (name, value) = split(argument)
            return ["-o", "--output"].contains(name) ? value ?? next : nil
        }
    }

    /// A fault that the parser lets pass: a path of no characters, an option with two values, of which it takes the last, or an
    /// output that is there, so that a passphrase would be asked for in vain.
    var silentFault: CLIError? { emptyPath ?? twoValues ?? existingOutput }

    /// The fault of the arguments as a whole, which explains the others.
    var fault: CLIError? {
        unknownOption ?? valueOfFlag ?? emptyPath ?? twoValues ?? missingValue ?? missing ?? unexpected
    }

    private var help: String { "\(command) --help" }

    private var unknownOption: CLIError? {
        guard let name = unknown.first else { return nil }
        let isShown = name.utf8.allSatisfy { "abcdefghijklmnopqrstuvwxyz0123456789-".utf8.contains($0) }
        return CLIError(
            .usage, isShown ? "unknown option '\(name)'" : "unknown option",
            hint: FormerNames.hint(name) ?? near(name).map { "did you mean \($0)?" } ?? help)
    }

    /// The option that was probably meant: of similar letters, or the only one that begins so.
    private func near(_ name: String) -> String? {
        let names = declared.flatMap(\.names).filter { $0.hasPrefix("--") }
        let beginning = name.hasPrefix("--") ? name : "-\(name)"
        let begun = names.filter { $0.hasPrefix(beginning) }
        if begun.count == 1 { return begun[0] }
        return name.hasPrefix("--") ? NearName.of(name, among: names) : nil
    }

    private var valueOfFlag: CLIError? {
        options.first { $0.declared.isFlag && $0.value != nil }.map {
            CLIError(.usage, "\($0.declared.longName) takes no value", hint: help)
        }
    }

    private var emptyPath: CLIError? {
        let option = options.first { $0.declared.isPath && $0.value == "" }?.declared.longName
        let paths = declared.filter(\.isOperand)
        let hasEmptyOperand = paths.contains(where: \.isPath) && operands.contains { $0.text.isEmpty }
        guard let name = option ?? (hasEmptyOperand ? paths[0].longName : nil) else { return nil }
        return CLIError(.usage, "\(name) is empty", hint: "name a file; a shell variable may be unset")
    }

    private var twoValues: CLIError? {
        let single = options.filter { !$0.declared.isRepeating && !$0.declared.isFlag }
        for (index, option) in single.enumerated() {
            let earlier = single[..<index].first { $0.declared.longName == option.declared.longName }
            guard let earlier, !earlier.value.isSame(as: option.value) else { continue }
            return CLIError(
                .usage, "\(option.declared.longName) is given twice, with two values", hint: "give it once")
        }
        return nil
    }

    /// Only for a file that one argument names: two arguments that name the same file are another fault.
    private var existingOutput: CLIError? {
        let paths = (options.map(\.value) + operands.map(\.text)).compactMap(\.self)
        guard let path = options.first(where: { $0.declared.longName == "--output" })?.value,
            !options.contains(where: { $0.declared.longName == "--force" }), Paths.isRegular(path),
            paths.count(where: { $0 == path }) == 1
        else { return nil }
        return CLIError(FileError.exists(path: path))
    }

    private var missingValue: CLIError? {
        withoutValue.map { CLIError(.usage, "missing value for '\($0.placeholder)'", hint: help) }
    }

    private var missing: CLIError? {
        let given = Set(options.map(\.declared.longName))
        var operandCount = operands.count
        let missing = declared.filter { argument in
            guard argument.isOperand else {
                return !argument.isOptional && !given.contains(argument.longName)
            }
            defer { operandCount -= 1 }
            return !argument.isOptional && operandCount <= 0
        }
        guard !missing.isEmpty else { return nil }
        let names = missing.map { "'\($0.placeholder)'" }.joined(separator: ", ")
        return CLIError(
            .usage, "missing expected argument\(missing.count == 1 ? "" : "s") \(names)", hint: help)
    }

    private var unexpected: CLIError? {
        let allowed = declared.filter(\.isOperand)
        guard !allowed.contains(where: \.isRepeating), operands.count > allowed.count else { return nil }
        let first = operands[allowed.count]
        let names = allowed.map(\.placeholder).joined(separator: " and ")
        let taken = allowed.isEmpty ? "only its options" : "\(names) and its options"
        return CLIError(
            .usage, "unexpected argument, the word \(first.place): \(command) takes \(taken)",
            hint: first.flag.map { "\($0.longName) takes no value" } ?? help)
    }
}

extension String? {
    /// Byte for byte: a path may be spelled with composed and with decomposed accents.
    fileprivate func isSame(as other: String?) -> Bool {
        switch (self, other) {
        case (.some(let one), .some(let two)): one.utf8.elementsEqual(two.utf8)
        case (.none, .none): true
        default: false
        }
    }
}
