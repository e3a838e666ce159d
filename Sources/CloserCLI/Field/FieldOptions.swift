internal import ArgumentParser
internal import CloserKeys
internal import CloserWire

/// Which couple, and where its key is: in a keyset file, or in a vault.
struct CoupleKeyOptions: ParsableArguments {
    @Option(file: "The couple's keyset, aes256-gcm, instead of a vault.") var keysetFile: String?
    @Flag(help: requirementHelp) var requirePrivate = false
    // These two are no ``CoupleChoice``: the parser reads all options again for each level of groups.
    @Option(help: CoupleChoice.help) var couple: String?
    @OptionGroup(title: "Vault options") var vault: VaultOptions

    func read(from inputs: inout Inputs) throws -> CurrentFieldKey {
        guard let keysetFile else {
            let (vault, id) = try vault.open(&inputs, couple: couple)
            return try CurrentFieldKey(vault, of: id, requiring: requirePrivate ? .rekeyed : .none)
        }
        let id = try CoupleID.needed(couple)
        try vault.refuse(besides: "--keyset-file")
        try Self.refuse(requirePrivate)
        let key = try inputs.keyset(keysetFile).keyset.use { try CoupleKey($0) }
        return CurrentFieldKey(FieldKey(key, of: id, origins: nil))
    }

    static let requirementHelp: ArgumentHelp =
        "Refuse a key that came by an invite or a recovery: the server may hold it."

    /// Refuses `--require-private` beside a keyset file.
    static func refuse(_ requirePrivate: Bool) throws {
        guard requirePrivate else { return }
        throw CLIError(
            .usage, "--require-private needs a vault: a keyset file does not say where its keys came from")
    }
}

extension BatchOptions {
    /// The place that the option `--place` names.
    func place(_ text: String?) throws -> FieldPlace? {
        guard let text else { return nil }
        guard !jsonl else {
            throw CLIError(.usage, "with --jsonl each line has its own place: the member place")
        }
        return try FieldPlace(parsing: text)
    }
}

extension Span<UInt8> {
    /// Runs `open`. If this is no token, the error says what it is instead.
    func asField<Value>(_ open: () throws -> Value) throws -> Value {
        do { return try open() } catch let error as FieldError {
            guard case .token = error else { throw error }
            return try FileKind.field.read(self) { throw error }
        }
    }
}

extension FieldReader.Proof {
    /// How the key came to this device, if that is known, and whether the field is bound to its place, if one was named.
    var members: [JSONValue.Member] {
        (origin.map { [.init("origin", .string($0.rawValue))] } ?? [])
            + (isBound.map { [.init("bound", .bool($0))] } ?? [])
    }

    /// The id of the key, and ``members``.
    var details: [JSONValue.Member] { [.init("keyId", .number(Double(keyID)))] + members }

    /// Says that the server may have moved what was opened.
    func tellIfUnbound() {
        guard isBound == false else { return }
        Diagnostics.note("this field lacks a place: the server may have moved it here")
    }
}

extension FieldKey {
    /// Says that the server may read what is sealed now. It is silent for a keyset file, which does not say where its keys came from.
    func tellIfServerKnown() {
        guard isServerKnown else { return }
        Diagnostics.note(
            "the server may hold the key of \(couple.text), and read this",
            next: NextCommand.line(.inviting(couple)))
    }

    /// Says that the server may have written what was opened.
    func tellIfOlder(_ keyID: UInt32, _ noun: String) {
        guard predatesRekey(origin(ofKey: keyID)) else { return }
        Diagnostics.note(
            "the server may have written this \(noun), unless you stored it before the rekey or the pairing")
    }

    /// The id of the key, and how the key came to this device if that is known.
    func details(_ keyID: UInt32) -> [JSONValue.Member] { proof(by: keyID).details }
}
