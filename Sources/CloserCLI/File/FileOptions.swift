internal import ArgumentParser
internal import CloserFiles
internal import CloserKeys
internal import CloserTink
internal import CloserVault
internal import CloserWire

/// What sealing and opening a file have in common: the couple or the keyset, the associated data, the input and the output.
struct FileOptions: ParsableArguments {
    @Option(file: "A keyset, aes256-gcm-hkdf-1mb, instead of a couple.") var keysetFile: String?
    @Flag(help: CoupleKeyOptions.requirementHelp) var requirePrivate = false
    @Option(help: CoupleChoice.help) var couple: String?
    @Option(help: ArgumentHelp("What the file is for; it opens only with the same text.", valueName: "text"))
    var associatedData = ""
    @Argument(file: "The input; standard input by default.") var file: String?
    @OptionGroup(title: "Vault options") var vault: VaultOptions
    @OptionGroup(title: "Output options") var output: OutputOptions

    /// Opens key, input and output in this order, so that the first that is missing is the one that is reported.
    func run(
        _ kind: OutputKind,
        _ body: (FileKey, borrowing Descriptor, inout Output) throws -> [JSONValue.Member]
    ) throws {
        guard associatedData.utf8.count <= StreamingAEAD.maximumAssociatedDataByteCount else {
            throw StreamingAEAD.SealError.associatedDataTooLong
        }
        var inputs = try Inputs([.file(keysetFile), vault.inputName, .fileOrStandardInput(file)])
        let key = try key(from: &inputs)
        let input = try inputs.open(file)
        try write(kind, inputs) { try body(key, input, &$0) }
    }

    /// Opens the output and fills it. `body` gives what `--json` tells.
    func write(
        _ kind: OutputKind, _ inputs: Inputs, _ body: (inout Output) throws -> [JSONValue.Member]
    ) throws {
        if output.file == nil { try checkStandardOutput(inputs) }
        var result = try Output(output, kind, inputs: inputs)
        let details = try body(&result)
        try result.finish(details)
    }

    /// Refuses another key beside that of an attachment, and what belongs to a key that seals several files.
    func refuseKeys(besides option: String) throws {
        try vault.refuse(besides: option)
        guard keysetFile == nil, couple == nil, !requirePrivate, associatedData.isEmpty else {
            throw CLIError(.usage, "\(option) has a key of its own: leave out others, and --associated-data")
        }
    }

    private func key(from inputs: inout Inputs) throws -> FileKey {
        guard let keysetFile else {
            let (vault, id) = try vault.open(&inputs, couple: couple)
            return FileKey(try vault.couple(id).fieldKey(requiring: requirePrivate ? .rekeyed : .none))
        }
        try vault.refuse(besides: "--keyset-file")
        guard couple == nil else {
            throw CLIError(.usage, "--keyset-file takes the place of --couple: give one of the two")
        }
        try CoupleKeyOptions.refuse(requirePrivate)
        return FileKey(try inputs.keyset(keysetFile).keyset.use { try StreamingAEAD($0) })
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

/// What a file is sealed and opened with.
struct FileKey {
    let aead: StreamingAEAD
    /// Nil for a keyset file.
    let couple: FieldKey?

    init(_ aead: StreamingAEAD) { (self.aead, couple) = (aead, nil) }

    init(_ couple: FieldKey) { (aead, self.couple) = (couple.files, couple) }

    func details(_ keyID: UInt32) -> [JSONValue.Member] {
        couple?.details(keyID) ?? [.init("keyId", .number(Double(keyID)))]
    }
}
