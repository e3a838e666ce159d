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
        // Before any file is opened: it would take the number of a descriptor that is closed.
        guard StandardDescriptors.fill() else { ProcessEnd.now(ExitStatus.ioError.rawValue) }
        let given = ProcessArguments.all
        Endings.install(wantsJSON: has("--json", given ?? []))
        LibcryptoProcess.ignoreConfiguration()
        let deniesDumps = ProcessLimits.denyDumps()
        guard let arguments = given else {
            Messages.failure(Failure(.usage, "an argument is not UTF-8"))
            ProcessEnd.exit(ExitStatus.usage.rawValue)
        }
        if has("--quiet", arguments) { Messages.tellOnlyFailures() }
        if !deniesDumps { Messages.warn("the system does not let us deny core dumps") }
        ProcessEnd.exit(run(arguments).rawValue)
    }

    private static func run(_ arguments: [String]) -> ExitStatus {
        do {
            var command = try Root.parseAsRoot(arguments)
            if var asking = command as? any ForeignCommand {
                asking.command = Array(arguments.drop { $0 != "--" }.dropFirst())
                command = asking
            }
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
        if has("--json", arguments), !failure.isReported { printJSON(failure) }
        Messages.failure(failure)
        return failure.status
    }

    /// Whether a flag of ours is among the arguments. What stands behind `--` is for another program.
    private static func has(_ flag: String, _ arguments: [String]) -> Bool {
        arguments.prefix { $0 != "--" }.contains(flag)
    }

    /// Prints help, a version or completions. A failure to write is an error, so that an install script learns of it.
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

    /// The failure for an error of ArgumentParser; nil for our own errors.
    private static func usageFailure(_ error: any Error, _ arguments: [String]) -> Failure? {
        guard Root.exitCode(for: error) == .validationFailure else { return nil }
        let usage = UsageMessage(Root.message(for: error))
        let words = Root.names(in: arguments).joined(separator: " ")
        return Failure(.usage, usage.message, hint: usage.hint ?? "\(words) --help")
    }

    private static func printJSON(_ failure: Failure) {
        try? Sink.print(["error": failure.json])
    }
}

extension ParsableCommand {
    /// The names of the commands with which `arguments` begin, this command's own name first.
    fileprivate static func names(in arguments: [String]) -> [String] {
        let name = configuration.commandName ?? _commandName
        guard let next = arguments.first,
            let command = configuration.subcommands.first(where: { $0._commandName == next })
        else { return [name] }
        return [name] + command.names(in: Array(arguments.dropFirst()))
    }
}

/// What ArgumentParser says, in our own words: lower case, no full stop, and never a value that was typed.
///
/// A value may be a phrase or a key in the wrong place, and messages end up in logs. Therefore the parser's text is not
/// passed on: only names that we declare ourselves, such as options, are taken from it.
struct UsageMessage {
    let message: String
    let hint: String?

    init(_ text: String) {
        hint = Self.quoted(in: text, after: "Did you mean '").map { "did you mean '\($0)'" }
        if text.hasPrefix("Unknown option '") {
            message =
                Self.quoted(in: text, after: "Unknown option '").map { "unknown option '\($0)'" }
                ?? "unknown option"
        } else if let declared = Self.declarations.first(where: text.hasPrefix) {
            message = declared.lowercased() + text.dropFirst(declared.count).prefix { $0 != "\n" }
        } else if let option = Self.quoted(in: text, after: "is invalid for '") {
            message = "the value for '\(option)' is invalid"
        } else {
            message = text.contains("argument") ? "unexpected argument" : "wrong arguments"
        }
    }

    /// Beginnings of sentences that continue with nothing but names that we declare.
    private static let declarations = [
        "Missing expected argument ", "Missing value for ", "Give the public key ",
    ]

    /// The name in quotation marks after the last occurrence of `words`, if it looks like an option or a placeholder.
    private static func quoted(in text: String, after words: String) -> String? {
        let bytes = Array(text.utf8)
        let starts = bytes.indices.filter { bytes[$0...].starts(with: words.utf8) }
        guard let start = starts.last else { return nil }
        let name = bytes[(start + words.utf8.count)...].prefix { $0 != UInt8(ascii: "'") }
        guard name.starts(with: "-".utf8), name.allSatisfy(isOfAName) else { return nil }
        return String(decoding: name, as: UTF8.self)
    }

    private static func isOfAName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: "- <>|".utf8.contains(byte)
        }
    }
}
