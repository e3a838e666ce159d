#if CommandLine
internal import ArgumentParser
internal import CloserFiles
internal import CloserTink
internal import CloserVault
internal import CloserWire

struct FileCommand: CommandGroup {
    static let configuration = CommandConfiguration(
        commandName: "file", abstract: "Seal and open files of any length, in constant memory.",
        subcommands: [Seal.self, Open.self])

    struct Seal: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "seal", abstract: "Seal a file, verbatim, into a stream of segments.")

        @OptionGroup var options: FileOptions

        func run() throws {
            try options.run(.binary) { aead, input, output in
                var sealer = try aead.sealer(associatedData: options.associatedData.utf8)
                let (bytesIn, bytesOut) = try sealer.move(from: input, to: &output)
                return StreamCounts(keyID: sealer.keyID, bytesIn: bytesIn, bytesOut: bytesOut)
            }
        }
    }

    struct Open: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "open",
            abstract:
                "Open a stream and give back the file, verbatim. Only -o waits until all of it has opened.")

        @OptionGroup var options: FileOptions

        func run() throws {
            try options.run(.verbatim) { aead, input, output in
                var opener = try aead.opener(associatedData: options.associatedData.utf8)
                do {
                    let (bytesIn, bytesOut) = try opener.move(from: input, to: &output)
                    return StreamCounts(keyID: opener.keyID ?? 0, bytesIn: bytesIn, bytesOut: bytesOut)
                } catch let error as OpenError {
                    throw CLIError(ofStream: error, isPartWritten: output.hasShownPart)
                }
            }
        }
    }
}

/// What sealing and opening a file have in common: the keyset, the associated data, the input and the output.
struct FileOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("The keyset, aes256-gcm-hkdf-1mb.", valueName: "file"), completion: .file())
    var keysetFile: String
    @Option(help: ArgumentHelp("What the file is for; it opens only with the same text.", valueName: "text"))
    var associatedData = ""
    @Argument(
        help: ArgumentHelp("The input; standard input by default.", valueName: "file"), completion: .file())
    var file: String?
    @OptionGroup(title: "Output options") var output: OutputOptions

    /// Opens keyset, input and output in this order, so that the first that is missing is the one that is reported.
    func run(
        _ kind: OutputKind,
        _ body: (StreamingAEAD, borrowing Descriptor, inout Output) throws -> StreamCounts
    ) throws {
        guard associatedData.utf8.count <= StreamingAEAD.maximumAssociatedDataByteCount else {
            throw StreamSealError.associatedDataTooLong
        }
        var inputs = try Inputs([.file(keysetFile), .fileOrStandardInput(file)])
        let aead = try inputs.keyset(keysetFile).keyset.use { try StreamingAEAD($0) }
        let input = try inputs.open(file)
        if output.file == nil { try checkStandardOutput(inputs) }
        var result = try Output(output, kind, inputs: inputs)
        let counts = try body(aead, input, &result)
        try result.finish(counts.members)
    }

    private func checkStandardOutput(_ inputs: Inputs) throws {
        guard !output.json else {
            throw CLIError(
                .inputRequired, "a file's content is never put into JSON", hint: "name a file with -o")
        }
        // With the shell's `>>` to the input file, the file would feed itself until the disk is full.
        let output = Descriptor.standardOutput
        guard
            output.regularByteCount == nil
                || !inputs.claims.contains(where: { $0 == output.identity })
        else { throw FileError.isInput(path: output.name) }
    }
}

/// How long a finished stream is, and which key it is under.
struct StreamCounts {
    let keyID: UInt32
    let bytesIn: Int
    let bytesOut: Int

    var members: [JSONValue.Member] {
        [
            .init("keyId", .number(Double(keyID))), .init("bytesIn", .number(Double(bytesIn))),
            .init("bytesOut", .number(Double(bytesOut))),
        ]
    }
}

extension CLIError {
    /// A stream may also fail because a part is missing, and the reader of a pipe must learn that a part is missing.
    init(ofStream error: OpenError, isPartWritten: Bool) {
        guard error == .authenticationFailed else {
            self.init(error)
            return
        }
        guard isPartWritten else {
            self.init(.authFailed, "it does not open: \(FileStreamError.reasons)")
            return
        }
        self.init(
            .authFailed,
            "it does not open to its end: \(FileStreamError.reasons); what was written is only a part of the file",
            hint: "throw that part away; with -o a file appears only when all of it has opened")
    }
}
#endif
