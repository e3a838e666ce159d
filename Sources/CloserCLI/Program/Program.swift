internal import ArgumentParser
internal import CloserFiles
internal import CloserPrimitives
internal import CloserSystem
internal import CloserVault
internal import CloserWire

/// The program: parses its arguments, runs the command, and turns a failure into words and an exit code.
public enum Program {
    /// CHANGELOG.md has a section of this number; tests compare it, and the pages that name it.
    public static let version = "0.3.0-dev"

    /// Runs with the arguments of this process and ends it.
    public static func main() -> Never {
        // Before any file is opened: it would take the number of a descriptor that is closed.
        guard StandardDescriptors.fill() else { ProcessEnd.now(ExitStatus.ioError.rawValue) }
        let given = ProcessArguments.all
        Exit.install()
        LibcryptoProcess.startForShortRun()
        let deniesDumps = ProcessLimits.denyDumps()
        guard let arguments = given else {
            let words =
                ProcessArguments.texts.isEmpty ? "the system shows no arguments" : "an argument is not UTF-8"
            ProcessEnd.exit(end(with: CLIError(.usage, words), []).rawValue)
        }
        Environment.raise("COLUMNS", toAtLeast: narrowestHelp)
        if !deniesDumps { Diagnostics.warn("the system does not let us deny core dumps") }
        ProcessEnd.exit(run(arguments).rawValue)
    }

    /// Below 27 columns, the parser leaves out what options do.
    private static let narrowestHelp = 40

    private static func run(_ arguments: [String]) -> ExitStatus {
        defer {
            if AtomicFile.mayBeLost {
                Diagnostics.alarm(
                    "what was written may not be on the disk: the system reports an input/output error")
            }
        }
        do { try perform(arguments) } catch { return end(with: error, arguments) }
        return .ok
    }

    private static func perform(_ arguments: [String]) throws {
        let path = CommandPath(arguments)
        if let failure = path.failure { throw failure }
        guard !path.wantsHelp else { throw CleanExit.message(HelpText.of(path)) }
        if let fault = path.silentFault { throw fault }
        var command = try path.parsed ?? Root.parseAsRoot(arguments)
        try OutputOptions.refuseExisting()
        try command.run()
    }

    private static func end(with error: any Error, _ arguments: [String]) -> ExitStatus {
        if Root.exitCode(for: error) == .success { return say(Root.fullMessage(for: error)) }
        Exit.endSilently(after: error)
        let failure = (usageFailure(error, arguments) ?? runFailure(error)).withoutSecretArguments
        if ProcessArguments.have("--json"), !failure.isReported { printJSON(failure) }
        Diagnostics.failure(failure)
        return failure.status
    }

    /// Prints help, a version or completions. A failure to write is an error, so that an install script learns of it.
    private static func say(_ text: String) -> ExitStatus {
        do {
            try Descriptor.standardOutput.write(Array("\(text)\n".utf8).span)
            return .ok
        } catch {
            Exit.endSilently(after: error)
            let failure = CLIError(error)
            Diagnostics.failure(failure)
            return failure.status
        }
    }

    /// The failure for an error of ArgumentParser; nil for our own errors.
    private static func usageFailure(_ error: any Error, _ arguments: [String]) -> CLIError? {
        guard Root.exitCode(for: error) == .validationFailure else { return nil }
        return CommandPath(arguments).given.fault(Root.message(for: error))
    }

    /// An error after a change, such as a full disk under the result, says that the change was made.
    private static func runFailure(_ error: any Error) -> CLIError {
        switch error {
        case is FileError, is MemoryShortage, VaultError.missing, VaultError.cannotRead, VaultError.damaged,
            VaultError.rolledBack, VaultError.replaced, VaultError.authenticationFailed:
            VaultDeed.told(with: CLIError(error))
        default: CLIError(error)
        }
    }

    private static func printJSON(_ failure: CLIError) {
        try? Output.print(["error": failure.json])
    }
}

extension ProcessArguments {
    /// Whether a flag of ours is among the arguments. What stands behind `--` is for another program.
    static func have(_ flag: String) -> Bool { texts.prefix { $0 != "--" }.contains(flag) }

    /// What stands behind `--`: another program and its arguments.
    static var ofAdapter: [String] { Array((all ?? []).drop { $0 != "--" }.dropFirst()) }
}
