#if CommandLine
internal import ArgumentParser
internal import CloserKeys
internal import CloserPrimitives
internal import CloserTink
internal import CloserVault
internal import CloserWire

/// Which couple, and where its key is: in a keyset file, or in a vault.
struct CoupleKeyOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("The couple's keyset, aes256-gcm, instead of a vault.", valueName: "file"),
        completion: .file())
    var keysetFile: String?
    @Flag(help: requirementHelp) var requireRekeyed = false
    // These two are no ``CoupleChoice``: the parser reads all options again for each level of groups.
    @Option(help: CoupleChoice.help) var couple: String?
    @OptionGroup(title: "Vault options") var vault: VaultOptions

    func read(from inputs: inout Inputs) throws -> CurrentFieldKey {
        guard let keysetFile else {
            let (vault, id) = try vault.open(&inputs, couple: couple)
            return try CurrentFieldKey(vault, of: id, requiring: requireRekeyed ? .rekeyed : .none)
        }
        let id = try CoupleID.needed(couple)
        try vault.refuse(besides: "--keyset-file")
        try Self.refuse(requireRekeyed)
        let key = try inputs.keyset(keysetFile).keyset.use { try CoupleKey($0) }
        return CurrentFieldKey(FieldKey(key, of: id, origins: nil))
    }

    static let requirementHelp: ArgumentHelp =
        "Refuse a key that came by an invite or a recovery: the server may hold it."

    /// Refuses `--require-rekeyed` beside a keyset file.
    static func refuse(_ requireRekeyed: Bool) throws {
        guard requireRekeyed else { return }
        throw CLIError(
            .usage, "--require-rekeyed needs a vault: a keyset file does not say where its keys came from")
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

/// What a reader demands of a field.
struct FieldDemand {
    /// The place at which the field was found; nil if none was named.
    let place: FieldPlace?
    /// Whether `enc:v1:` is taken at a place, too.
    let allowsUnbound: Bool

    /// How a token is written.
    var wanted: FieldBinding { place.map(FieldBinding.place) ?? .couple }

    /// How a token is read.
    func binding(of token: Span<UInt8>) -> FieldBinding {
        guard let place else { return .couple }
        return allowsUnbound && TokenFormat.field.begins(token) ? .couple : .place(place)
    }

    /// Whether a field was opened at a place and bound to its couple alone.
    func isUnbound(_ binding: FieldBinding) -> Bool { place != nil && binding == .couple }

    /// Whether the field is bound to its place; left out where no place was named.
    func members(_ binding: FieldBinding) -> [JSONValue.Member] {
        place == nil ? [] : [.init("bound", .bool(binding != .couple))]
    }

    /// Says that the server may have moved what was opened.
    func tellIfUnbound(_ binding: FieldBinding) {
        guard isUnbound(binding) else { return }
        Diagnostics.note("this field lacks a place: the server may have moved it here")
    }
}

extension FieldBinding {
    /// The ciphertext in a token, or an error that says what the text is instead.
    func ciphertext(reading text: [UInt8]) throws -> [UInt8] {
        try FileKind.field.read(text.span) {
            do throws(TokenError) { return try format.payload(of: text) } catch {
                throw CLIError(error, noun: "field")
            }
        }
    }
}

extension FieldKey {
    /// Says that the server may read what is sealed now. It is silent for a keyset file, which does not say where its keys came from.
    func tellIfServerKnown() {
        guard origin(ofKey: primaryID)?.isPrivate == false else { return }
        Diagnostics.note(
            "the server may hold the key of \(couple.text), and read this: \(NextCommand.line(.inviting(couple))) makes one that it does not hold"
        )
    }

    /// Says that the server may have written what was opened.
    func tellIfOlder(_ keyID: UInt32, _ noun: String) {
        guard predatesRekey(origin(ofKey: keyID)) else { return }
        Diagnostics.note(
            "the server may hold this \(noun)'s key, and have written it, unless you stored it before the rekey or the pairing"
        )
    }

    /// The id of the key, and how the key came to this device if that is known.
    func details(_ keyID: UInt32) -> [JSONValue.Member] {
        [.init("keyId", .number(Double(keyID)))] + originMember(keyID)
    }

    /// How the key came to this device; left out if that is unknown.
    func originMember(_ keyID: UInt32) -> [JSONValue.Member] {
        origin(ofKey: keyID).map { [.init("origin", .string($0.rawValue))] } ?? []
    }
}
#endif
