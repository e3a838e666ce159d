internal import ArgumentParser
internal import CloserFiles
internal import CloserWire

/// The commands that a run's arguments name, and what stands behind them.
///
/// ArgumentParser takes a mistyped name for an argument, so that it complains of the options that follow, and its `help`
/// takes one for no name at all. Therefore the names are looked at first.
struct CommandPath {
    /// The words as they are typed, the program's name first.
    let names: [String]
    /// The names that can follow; empty after a verb.
    private let known: [String]
    /// The last of them.
    private let command: any ParsableCommand.Type
    /// What stands behind the names.
    private let rest: ArraySlice<String>
    private var next: String? { rest.first }

    init(_ arguments: [String]) {
        let isHelp = arguments.first == Self.help
        var rest = arguments.dropFirst(isHelp ? 1 : 0)
        var (names, command) = (
            [Root._commandName] + (isHelp ? [Self.help] : []), Root.self as any ParsableCommand.Type
        )
        while let name = rest.first,
            let found = command.configuration.subcommands.first(where: { $0._commandName == name })
        {
            names.append(name)
            command = found
            rest.removeFirst()
        }
        let below = command.configuration.subcommands.map { $0._commandName }
        (self.names, self.command, self.rest) = (names, command, rest)
        known = below + (names.count == 1 || (isHelp && names.count == 2) ? [Self.help] : [])
    }

    private static let help = "help"

    /// The command with its options; nil if its name is incomplete or an option is wrong.
    ///
    /// From the root, ArgumentParser makes the definitions of each command on the way, several times: a third of a short run.
    /// Only what it says of a mistake needs the root.
    var parsed: (any ParsableCommand)? {
        guard !names.contains(Self.help), command.configuration.subcommands.isEmpty,
            let parsed = try? command.parseAsRoot(Array(rest)), type(of: parsed) == command
        else { return nil }
        return parsed
    }

    /// What was typed behind the names.
    var given: GivenArguments {
        GivenArguments(rest, of: command, called: names.joined(separator: " "))
    }

    /// A fault that the parser lets pass; see ``GivenArguments/silentFault``.
    var silentFault: CLIError? {
        GivenArguments.mayHaveSilentFault(rest) ? given.silentFault : nil
    }

    /// The failure for a command that has another name now, or that other programs call so. A file of that name is a file.
    private var former: CLIError? {
        guard let next, let noun = names.last, !(known.isEmpty && Paths.isRegular(next)) else { return nil }
        let words = (names.dropFirst() + [next]).joined(separator: " ")
        return FormerNames.hint(words).map { CLIError(.usage, "\(noun) has no such command", hint: $0) }
    }

    /// The failure for a mistyped name of a command; nil if the names are right.
    var failure: CLIError? {
        if let former { return former }
        guard let next, !next.hasPrefix("-"), !known.isEmpty, !known.contains(next) else { return nil }
        let path = names.joined(separator: " ")
        let noun = names.last == Self.help ? names[0] : names[names.count - 1]
        return CLIError(
            .usage, "\(noun) has no such command",
            hint: NearName.of(next, among: known).map { "did you mean \(path) \($0)?" }
                ?? (names.contains(Self.help) ? path : "\(path) --help"))
    }
}
