internal import ArgumentParser
internal import CloserFiles
internal import CloserPrimitives
internal import CloserSystem
internal import CloserWire

/// The program: parses its arguments, runs the command, and turns whatever went wrong into words and an exit code.
public enum Program {
    public static let version = "0.1.0"

    /// Runs with the arguments of this process and ends it.
    public static func main() -> Never {
        LibcryptoProcess.ignoreConfiguration()
        ProcessLimits.installSignals()
        if !ProcessLimits.denyDumps() { Messages.warn("the system does not let us deny core dumps") }
        guard let arguments = ProcessArguments.all else {
            Messages.failure(Failure(.usage, "an argument is not UTF-8"))
            ProcessEnd.exit(ExitStatus.usage.rawValue)
        }
        ProcessEnd.exit(run(arguments).rawValue)
    }

    private static func run(_ arguments: [String]) -> ExitStatus {
        do {
            var command = try Root.parseAsRoot(arguments)
            try command.run()
            return .ok
        } catch {
            return end(with: error, arguments)
        }
    }

    private static func end(with error: any Error, _ arguments: [String]) -> ExitStatus {
        if Root.exitCode(for: error) == .success {
            return say(Root.fullMessage(for: error))
        }
        let failure = usageFailure(error, arguments) ?? Failure(error)
        let wantsJSON = arguments.prefix { $0 != "--" }.contains("--json")
        if wantsJSON, !failure.isReported { printJSON(failure) }
        Messages.failure(failure)
        return failure.status
    }

    /// Help, a version or completions; an install script must learn that they were not written.
    private static func say(_ text: String) -> ExitStatus {
        do {
            try Descriptor.standardOutput.write(Array("\(text)\n".utf8).span)
            return .ok
        } catch {
            let failure = Failure(error)
            Messages.failure(failure)
            return failure.status
        }
    }

    /// A failure for what ArgumentParser says; nil for errors of ours.
    private static func usageFailure(_ error: any Error, _ arguments: [String]) -> Failure? {
        guard Root.exitCode(for: error) == .validationFailure else { return nil }
        let usage = UsageMessage(Root.message(for: error))
        let words = Root.names(in: arguments).joined(separator: " ")
        return Failure(.usage, usage.message, hint: usage.hint ?? "\(words) --help")
    }

    private static func printJSON(_ failure: Failure) {
        let object: JSONValue = ["error": failure.json]
        try? Descriptor.standardOutput.write((object.printableBytes + [UInt8(ascii: "\n")]).span)
    }
}

extension ParsableCommand {
    /// The names of the commands that `arguments` begin with, this one's first.
    fileprivate static func names(in arguments: [String]) -> [String] {
        let name = configuration.commandName ?? _commandName
        guard let next = arguments.first,
            let command = configuration.subcommands.first(where: { $0._commandName == next })
        else { return [name] }
        return [name] + command.names(in: Array(arguments.dropFirst()))
    }
}
