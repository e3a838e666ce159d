internal import ArgumentParser
internal import CloserKeys
internal import CloserPrimitives
internal import CloserTink
internal import CloserVault

/// Which couple, and where its key is: in a keyset file, or in a vault.
struct CoupleKeyOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("The couple's keyset, aes256-gcm, instead of a vault.", valueName: "file"),
        completion: .file())
    var keysetFile: String?
    @Option(help: ArgumentHelp("The couple that the field belongs to.", valueName: "id")) var couple: String
    @OptionGroup var vault: VaultOptions

    /// The couple's key, and how each of its keys came to this device; nil for a file, which does not say.
    func read(
        from inputs: inout Inputs
    ) throws -> (couple: Identifier, key: CoupleKey, origin: (UInt32) -> KeyOrigin?) {
        let id = try Identifier(parsing: couple)
        guard let keysetFile else {
            let couple = try vault.open(&inputs).couple(id)
            return (id, couple.key, { couple.origin(ofKey: $0) })
        }
        try vault.refuse(besides: "--keyset-file")
        return (id, try CoupleKey(try inputs.keyset(keysetFile).keyset), { _ in nil })
    }
}

extension VaultOptions {
    /// With an explicit file nothing but that file is read.
    func refuse(besides option: String) throws {
        guard vault == nil, keyFile == nil, !passphrase.isGiven else {
            throw Failure(.usage, "\(option) takes the place of a vault: give one of the two")
        }
    }
}
