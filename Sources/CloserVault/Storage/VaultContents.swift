package import CloserKeys
public import CloserPrimitives

/// What a vault or an export holds, counted once every record of it was opened.
package struct VaultContents: Equatable, Sendable {
    /// Whose device it is.
    package let userID: UserID
    /// How many couples it holds.
    package let coupleCount: Int
    /// How many partners it knows.
    package let partnerCount: Int
    /// How many of our answers it holds.
    package let answerCount: Int
    /// How often the vault had been changed.
    package let changeCount: UInt64

    init(checking transaction: Transaction) throws(VaultError) {
        try transaction.checkAll()
        userID = try transaction.device.userID
        (coupleCount, partnerCount) = (transaction.count(.couple), transaction.count(.partner))
        (answerCount, changeCount) = (transaction.count(.answer), transaction.index.changeCount)
    }
}

extension Vault {
    /// Reads the file, and opens every record.
    ///
    /// - Throws: ``VaultError``, as each verb that reads: `.damaged` if a record fails to open, or differs from what its name says.
    public func verifyRecords() throws(VaultError) { _ = try contents() }

    package func contents() throws(VaultError) -> VaultContents {
        try read { (transaction) throws(VaultError) in try VaultContents(checking: transaction) }
    }

    /// Opens every record of an export. Takes Argon2id's time, some 0.6 s.
    ///
    /// - Throws: ``VaultError``: `.notAnExport`, `.unsupportedVersion`, `.authenticationFailed`, `.otherProtection`,
    ///   `.passphraseLength`, `.costsRefused`, `.damaged`, `.tooLarge`.
    public static func check(
        export: [UInt8], under passphrase: consuming SecretBytes
    ) throws(VaultError) { _ = try contents(ofExport: export, under: passphrase) }

    package static func contents(
        ofExport export: [UInt8], under passphrase: consuming SecretBytes
    ) throws(VaultError) -> VaultContents {
        try VaultContents(checking: read(export: export, with: .passphrase(passphrase)))
    }
}
