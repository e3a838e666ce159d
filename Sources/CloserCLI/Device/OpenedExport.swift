internal import ArgumentParser
internal import CloserPrimitives
internal import CloserVault
internal import CloserWire

/// An export that its passphrase has opened, to be counted or imported.
struct OpenedExport: ~Copyable {
    let contents: VaultContents
    private let bytes: [UInt8]
    private let passphrase: SecretBytes

    fileprivate init(_ bytes: [UInt8], under passphrase: consuming SecretBytes) throws {
        let copy = passphrase.withBytes { SecretBytes(copying: $0) }
        let contents: VaultContents
        do throws(VaultError) { contents = try Vault.contents(ofExport: bytes, under: copy) } catch {
            throw CLIError(ofExport: error, bytes.span)
        }
        try Self.checkIsNoVault(bytes)
        (self.contents, self.bytes) = (contents, bytes)
        self.passphrase = passphrase
    }

    /// Refuses a vault's own file in the export's place: an import would hide how old it is.
    private static func checkIsNoVault(_ bytes: [UInt8]) throws {
        guard let id = Vault.id(of: bytes.span), try KnownVaults.ours?.vault(id) != nil else {
            return
        }
        throw CLIError(
            .malformed, "this is a vault that this machine knows, or a copy of it, and no export",
            hint: "--vault opens it where it is; closer-keys device export makes an export")
    }

    func imported(at path: String, locking: borrowing Credential) throws -> Vault {
        let copy = passphrase.withBytes { SecretBytes(copying: $0) }
        do throws(VaultError) {
            return try Vault.create(at: path, importing: bytes, under: copy, locking: locking)
        } catch { throw CLIError(ofExport: error, bytes.span) }
    }
}

extension Inputs {
    /// Reads an export and opens all of it. A person who types a wrong passphrase may try again.
    mutating func export(_ file: String?, _ passphrase: SecretSource) throws -> OpenedExport {
        let bytes = try bytes(file, maximumByteCount: Vault.maximumByteCount)
        return try self.passphrase(passphrase, "passphrase of the export") {
            try OpenedExport(bytes, under: $0)
        }
    }
}

struct ExportPassphraseOptions: ParsableArguments {
    @Option(file: "The export's passphrase, from a file.") var exportPassphraseFile: String?

    func source(mayAsk: Bool) -> SecretSource {
        SecretSource(option: "export-passphrase", file: exportPassphraseFile, mayAsk: mayAsk)
    }
}

extension CLIError {
    /// Why an export stays shut, as far as its bytes tell.
    fileprivate init(ofExport error: VaultError, _ bytes: Span<UInt8>) {
        self =
            switch error {
            case .notAnExport:
                CLIError(bytes, insteadOf: .vault)
                    ?? CLIError(
                        .malformed,
                        FileKind(bytes) == .vault
                            ? "this export is cut or was changed" : "this is not an export of a vault",
                        hint: "bring the file over once more, or make another: closer-keys device export")
            case .authenticationFailed:
                CLIError(
                    .authFailed, "the export does not open: another passphrase, or a changed byte",
                    hint: "check the export's passphrase, then bring the file over once more")
            case .otherProtection:
                CLIError(
                    .malformed, "a key file protects this vault, so it is no export",
                    hint: "closer-keys device export makes one")
            case .damaged:
                CLIError(
                    .malformed, "the passphrase is right, but the export is cut or was changed",
                    hint: "bring the file over once more, or make another: closer-keys device export")
            default: CLIError(error)
            }
    }
}
