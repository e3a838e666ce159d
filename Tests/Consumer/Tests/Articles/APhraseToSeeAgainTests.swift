import CloserKeys
import CloserPrimitives
import CloserVault
import Foundation
import Testing

// doc: APhraseToSeeAgain
/// The row "Recovery phrase" in an app's settings.
nonisolated struct PhraseSetting: Sendable {
    let room: VaultActor
    let couple: CoupleID

    /// Whether the row shows anything.
    func isKept() async throws -> Bool {
        let couple = couple
        return try await room.use { vault in try vault.keepsPhrase(of: couple) }
    }

    /// Keeps the phrase that the person types. It must open the couple's document.
    func keep(typed phrase: Data) async throws {
        let couple = couple
        try await room.use { vault in
            try vault.keepPhrase(RecoveryPhrase(typed: SecretBytes(copying: phrase)), of: couple)
        }
    }

    /// The ten words, once the gate has let the person in.
    func show(behind gate: some Gate) async throws -> String {
        try await gate.pass("Show the recovery phrase")
        let couple = couple
        return try await room.use { vault in InsecureCopy.string(try vault.phrase(of: couple).text) }
    }

    func forget() async throws {
        let couple = couple
        try await room.use { vault in _ = try vault.forgetPhrase(of: couple) }
    }
}

/// What asks the person for a face, a finger or the phone's code. It throws if they fail.
nonisolated protocol Gate: Sendable {
    func pass(_ reason: String) async throws
}
// doc: end

/// A person who is let in, or not.
private struct Door: Gate {
    let isOpen: Bool

    func pass(_ reason: String) async throws { if !isOpen { throw CancellationError() } }
}

@Suite("The article A phrase to see again")
struct APhraseToSeeAgainTests {
    @Test("a typed phrase is kept if it opens, is shown behind the gate alone, and goes when it is forgotten")
    func settings() async throws {
        let vault = try Vault.inMemory(for: UserID(parsing: "alice"))
        let couple = try CoupleID(parsing: "couple_1")
        let draft = try vault.draftOffer(of: couple, beginningAt: .strict)
        guard let text = draft.phraseText else { throw CancellationError() }
        let phrase = InsecureCopy.string(text)
        try vault.store(draft)
        let setting = PhraseSetting(room: try VaultActor(vault), couple: couple)
        #expect(try await !setting.isKept())
        await #expect(throws: VaultError.couple(.phraseNotKept)) {
            try await setting.show(behind: Door(isOpen: true))
        }
        await #expect(throws: VaultError.unwrap(.wrongPhrase)) {
            try await setting.keep(typed: Data("another one".utf8))
        }
        try await setting.keep(typed: Data(phrase.utf8))
        #expect(try await setting.isKept())
        #expect(try await setting.show(behind: Door(isOpen: true)) == phrase)
        await #expect(throws: CancellationError.self) { try await setting.show(behind: Door(isOpen: false)) }
        try await setting.forget()
        #expect(try await !setting.isKept())
    }
}
