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
    @Option(help: ArgumentHelp("The couple that the field belongs to.", valueName: "id")) var couple: String
    @Flag(help: "Refuse a key that came by an invite or a recovery: the server may hold it.")
    var requireRekeyed = false
    @OptionGroup var vault: VaultOptions

    func read(from inputs: inout Inputs) throws -> FieldKey {
        let id = try Identifier(parsing: couple)
        guard let keysetFile else {
            let couple = try vault.open(&inputs).couple(id)
            return FieldKey(couple: id, key: couple.key, known: couple, requiresRekeyed: requireRekeyed)
        }
        try vault.refuse(besides: "--keyset-file")
        guard !requireRekeyed else {
            throw Failure(
                .usage, "--require-rekeyed needs a vault: a keyset file does not say how its keys came")
        }
        let key = try CoupleKey(try inputs.keyset(keysetFile).keyset)
        return FieldKey(couple: id, key: key, known: nil, requiresRekeyed: false)
    }
}

/// A couple's key for its fields, with what this device knows of where it came from.
struct FieldKey {
    let couple: Identifier
    let key: CoupleKey
    /// Nil for a keyset file.
    fileprivate let known: Couple?
    fileprivate let requiresRekeyed: Bool

    func seal(_ plaintext: [UInt8]) throws -> FieldToken {
        try check(key.keyset.primaryID)
        return try key.seal(field: plaintext, couple: couple)
    }

    func open(_ token: [UInt8]) throws -> Opened {
        let opened = try key.open(try FieldToken(parsing: token), couple: couple)
        try check(opened.keyID)
        return opened
    }

    /// Which key it was, and how it came to this device where that is known.
    func details(_ keyID: UInt32) -> [JSONValue.Member] {
        let origin = known.map { JSONValue.Member("origin", .string("\($0.origin(ofKey: keyID))")) }
        return [.init("keyId", .number(Double(keyID)))] + (origin.map { [$0] } ?? [])
    }

    private func check(_ keyID: UInt32) throws {
        guard requiresRekeyed, known?.origin(ofKey: keyID) != .rekey else { return }
        throw Failure(
            .notYet, code: .serverKnown,
            "this is under a key that came by an invite or a recovery: the server may hold it",
            hint: "closer-keys couple rekey makes one that it does not")
    }
}

extension Failure {
    init(_ error: FieldSealError) {
        self = Failure(.limit, "a field holds at most \(CoupleKey.maximumFieldByteCount) bytes")
    }
}
