internal import ArgumentParser
internal import CloserFiles
internal import CloserTink

/// What sealing and opening a file have in common: the keys, what the stream is tied to, where it comes from and goes.
struct FileOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("The keyset, aes256-gcm-hkdf-1mb.", valueName: "file"), completion: .file())
    var keysetFile: String
    @Option(help: ArgumentHelp("What the file is for; it opens with the same only.", valueName: "text"))
    var associatedData = ""
    @Argument(
        help: ArgumentHelp("The input; standard input by default.", valueName: "file"), completion: .file())
    var file: String?
    @OptionGroup var output: OutputOptions

    /// Opens everything, in the order in which it is refused: keyset, input, output.
    func run(
        _ nature: Nature,
        _ body: (StreamingAEAD, borrowing Descriptor, inout StreamOutput) throws -> StreamCounts
    ) throws {
        guard associatedData.utf8.count <= StreamingAEAD.maximumAssociatedDataByteCount else {
            throw Failure(.limit, "associated data has at most 32768 bytes")
        }
        var inputs = Inputs()
        let aead = try StreamingAEAD(try inputs.keyset(keysetFile).keyset)
        let input = try inputs.open(file)
        var output = try StreamOutput(output, nature, inputs: inputs)
        let counts = try body(aead, input, &output)
        try output.finish(counts)
    }
}
