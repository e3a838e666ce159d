internal import ArgumentParser
internal import CloserFiles
internal import CloserTink
internal import CloserWire

/// Which keyset is changed, and how the result is written: by default in the form it had.
struct ChangeOptions: ParsableArguments {
    @Argument(file: "The keyset; - is standard input.") var file: String
    @Flag(help: "Replace the keyset's own file, whole or not at all.")
    var inPlace = false
    @Option(help: "How the keyset is written; as it was, by default.") var format: KeysetFile.Form?
    @OptionGroup(title: "Output options") var output: OutputOptions

    func apply(_ change: (Keyset) throws -> Keyset) throws {
        guard inPlace else {
            guard output.file != file else {
                throw CLIError(.usage, "-o names the keyset itself", hint: "use --in-place")
            }
            return try apply(change, writingTo: output) { $0 }
        }
        guard output.output == nil else { throw CLIError(.usage, "use either --in-place or -o") }
        guard !InputName.isStandardInput(file) else { throw Self.needsFile }
        var itself = output
        (itself.output, itself.force) = (file, true)
        // The later of two rotations at once reads what the earlier one wrote: both new keys are kept.
        let lock = try lock()
        // An empty list of inputs lets the output replace the file that was read.
        try apply(change, writingTo: itself) { _ in Inputs() }
        _ = consume lock
    }

    private func apply(
        _ change: (Keyset) throws -> Keyset, writingTo output: OutputOptions,
        _ claims: (Inputs) -> Inputs
    ) throws {
        var inputs = Inputs()
        let before = try inputs.keyset(file)
        try before.keyset.use(change).write(format ?? before.form, to: output, inputs: claims(inputs))
    }

    /// A lock on the file itself, which goes with it when the new one takes its place.
    private func lock() throws -> FileLock {
        guard try Descriptor.readingRegular(file) != nil else { throw Self.needsFile }
        guard let lock = try FileLock.acquire(try Paths.absolute(file), patience: .seconds(10)) else {
            throw CLIError(
                .ioError, "another process holds the lock of \(file)", hint: "run the command again")
        }
        return lock
    }

    private static var needsFile: CLIError {
        CLIError(.usage, "--in-place needs a file", hint: "name one, or write the result with -o")
    }
}

/// The id of a key, as `keyset list` prints it or as Java does: with a sign, where the same 32 bits are above 2147483647.
struct KeyID: ExpressibleByArgument {
    let number: UInt32

    static var help: ArgumentHelp {
        ArgumentHelp("The key's id, as list prints it or as Java does.", valueName: "id")
    }

    init?(argument: String) {
        let digits = argument.hasPrefix("-") ? argument.dropFirst() : argument[...]
        guard !digits.isEmpty,
            digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let number = UInt32(argument) ?? Int32(argument).map({ UInt32(bitPattern: $0) })
        else { return nil }
        self.number = number
    }
}
