internal import ArgumentParser
internal import CloserFiles
internal import CloserWire

extension ParsableCommand {
    /// What is typed for it: each command of ours declares its name.
    static var name: String { configuration.commandName ?? "" }
}

/// The commands that a run's arguments name, and what stands behind them.
///
/// ArgumentParser takes a mistyped name for an argument and complains of the options that follow. Therefore names are read first.
struct CommandPath {
    /// The names as they are typed, the program's first and without `help`.
    let names: [String]
    /// The last of them.
    let command: any ParsableCommand.Type
    let wantsHelp: Bool
    private let rest: ArraySlice<String>
    /// Those before `--`.
    private let ours: ArraySlice<String>
    private var words: String { names.joined(separator: " ") }

    init(_ arguments: [String]) {
        var rest = arguments.dropFirst(arguments.first == "help" ? 1 : 0)
        var (names, command) = ([Root.name], Root.self as any ParsableCommand.Type)
        while let found = command.configuration.subcommands.first(where: { $0.name == rest.first }) {
            names.append(found.name)
            command = found
            rest.removeFirst()
        }
        (self.names, self.command, self.rest, ours) = (names, command, rest, rest.prefix { $0 != "--" })
        wantsHelp =
            arguments.isEmpty || arguments[0] == "help" || ours.contains("--help") || ours.contains("-h")
    }

    /// The command with its options; nil if its name is incomplete or an option is wrong.
    ///
    /// From the root, ArgumentParser makes the definitions of each command on the way, several times: a third of a short run.
    /// Only what it says of a mistake needs the root.
    var parsed: (any ParsableCommand)? {
        guard command.configuration.subcommands.isEmpty else { return nil }
        return (try? command.parseAsRoot(Array(rest))).flatMap { type(of: $0) == command ? $0 : nil }
    }

    /// What was typed behind the names.
    var given: GivenArguments { GivenArguments(rest, of: command, called: words) }

    /// A fault that the parser lets pass. To tell it, all declarations are read, so only where there may be one.
    var silentFault: CLIError? {
        let names = ours.filter { $0.hasPrefix("-") }.map { GivenArguments.split($0).name }
        // `-o`, the one short name, may stand beside its long one.
        let isTwice = Set(names).count < names.count || Set(names).isSuperset(of: ["-o", "--output"])
        let isSuspect = isTwice || ours.contains { $0.isEmpty || $0.hasSuffix("=") }
        return isSuspect ? given.silentFault : nil
    }

    /// The failure for a name that no command has; nil if the names are right. Behind a verb, it may be a file.
    var failure: CLIError? {
        guard let typed = rest.first, !typed.hasPrefix("-") else { return nil }
        let verbs = command.configuration.subcommands.map { $0.name }
        let former = FormerNames.hint((names.dropFirst() + [typed]).joined(separator: " "))
        guard !verbs.isEmpty || (former != nil && !Paths.isRegular(typed)) else { return nil }
        let near = NearName.of(typed, among: verbs + (names.count == 1 ? ["help"] : []))
        return CLIError(
            .usage, "\(command.name) has no such command",
            hint: former ?? near.map { "did you mean \(words) \($0)?" } ?? "\(words) --help")
    }
}
