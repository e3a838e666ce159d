internal import CloserFiles
package import CloserPrimitives
internal import CloserWire

// A vault's key for a while: sealed under another key, which is somewhere else and is forgotten soon, and kept where this machine
// remembers its vaults. Whoever can write the other place can plant no key, and whoever reads one of the two has none.

extension Vault {
    /// The vault's key, sealed under 32 bytes: `iv(12) ‖ ciphertext(32) ‖ tag(16)`. Whoever has both opens the vault, also under another
    /// lock.
    package func sealedKey(under key: borrowing SecretBytes) -> [UInt8] {
        let data = SealedKey.associatedData(id)
        return self.key.withSecret { AESGCM(key: key).sealCombined($0, authenticating: data.span) }
    }
}

extension Unlocking {
    /// What ``Vault/sealedKey(under:)`` made; nil if it was made for another vault or under another key.
    package static func sealedKey(
        _ box: [UInt8], under key: borrowing SecretBytes, of vault: VaultID
    ) -> Unlocking? {
        let data = SealedKey.associatedData(vault)
        guard box.count == SealedKey.byteCount,
            let secret = try? AESGCM(key: key).openCombined(box.span, authenticating: data.span)
        else { return nil }
        return .vaultKey(secret)
    }
}

extension VaultMemories {
    /// Keeps a sealed key in the place of the one that was kept before.
    package func keep(_ box: [UInt8], asKeyOf id: VaultID) throws(VaultError) {
        do throws(FileError) {
            try Folder.make(folder)
            let file = try SafeFile(FolderEntry(sealedKeyPath(of: id)), replacing: true)
            try file.write(box.span)
            try file.commit()
        } catch { throw VaultError(error) }
    }

    /// The sealed key that is kept; nil if there is none.
    package func sealedKey(of id: VaultID) -> [UInt8]? {
        (try? WholeFile.read(sealedKeyPath(of: id), maximumByteCount: SealedKey.byteCount)) ?? nil
    }

    /// Keeps it no longer; false if there was none.
    package func dropSealedKey(of id: VaultID) throws(VaultError) -> Bool {
        let path = sealedKeyPath(of: id)
        guard SafeFile.exists(path) else { return false }
        Folder.removeFile(path)
        guard !SafeFile.exists(path) else { throw .cannotWrite(path: path, reason: "Cannot be removed") }
        return true
    }

    private func sealedKeyPath(of id: VaultID) -> String { "\(folder)/\(id).unlocked" }
}

private enum SealedKey {
    static let byteCount = VaultKey.byteCount + AESGCM.overheadByteCount

    static func associatedData(_ id: VaultID) -> [UInt8] {
        [UInt8](lengthPrefixed: [Array("closer-keys/unlocked/1".utf8), id.bytes])
    }
}
