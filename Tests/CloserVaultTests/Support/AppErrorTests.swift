import CloserKeys
import CloserPrimitives
import CloserTink
import CloserVault
import CloserVectors
import CloserWire
import Foundation
import Testing

/// Each error of a type inside a case that holds one: a walk has one of them alone.
private func nested<Outer: CloserError, Inner: CloserError>(_ wrap: (Inner) -> Outer) -> Walk {
    let inner = walks.first { $0.type == Walk.name(of: Inner.self) }?.errors ?? [:]
    return Walk(Outer.self, inner.compactMapValues { ($0 as? Inner).map(wrap) })
}

private let nestedWalks = [
    nested(PublicKeyToken.FormatError.token), nested(PublicKeyToken.FormatError.keyset),
    nested(UnwrapError.keyset), nested(RekeyDocumentError.keyset), nested(RekeyDocumentError.keybox),
    nested(FieldError.token), nested(FieldError.opening), nested(ChatChannel.OpenError.format),
    nested(FileStreamError.sealing), nested(FileStreamError.opening),
    nested(VaultError.couple), nested(VaultError.unwrap), nested(VaultError.migration),
    nested(VaultError.answer), nested(VaultError.rekey), nested(VaultError.rekeyDocument),
    nested(VaultError.verification), nested(VaultError.pairing), nested(VaultError.payload),
    nested(VaultError.keybox), nested(VaultError.reveal), nested(VaultError.keyset), nested(VaultError.chat),
    nested(ChatError.message), nested(ChatError.opening),
    nested(DeviceLink.Failure.token), nested(DeviceLink.Failure.vault),
    nested { (error: VectorFileError) in EmbeddedVectorsError.unreadable("f", error) },
    nested { (error: PairingError) in VaultError.refused(error) },
    nested { (error: KeysetError) in VaultError.unwrap(.keyset(error)) },
    nested { (error: KeysetError) in VaultError.rekeyDocument(.keyset(error)) },
    nested { (error: OpenError) in VaultError.rekeyDocument(.keybox(error)) },
]

@Suite("What errors are to an app")
struct AppErrorTests {
    /// What the article says of the ids: their numbers.
    private static let table = Result { () throws -> [String: Int] in
        let path = "../../../../Sources/CloserVault/Documentation.docc/ErrorsForPeople.md"
        let page = URL(filePath: #filePath).appending(path: path).standardized
        let rows = try String(contentsOf: page, encoding: .utf8).matches(of: /\| `(\w+)` \| (\d+) \|/)
        return Dictionary(uniqueKeysWithValues: rows.map { (String($0.1), Int($0.2) ?? 0) })
    }

    @Test("each id has a number of its own, from 1, and the article has those of the library's errors")
    func numbers() throws {
        let numbers = ErrorID.allCases.map(\.number)
        #expect(numbers.sorted() == Array(1...ErrorID.allCases.count))
        let used = walks.flatMap(\.errors.values).map { ($0.id, $0.code) }
        #expect(try Self.table.get() == Dictionary(used) { first, _ in first })
        #expect(used.allSatisfy { ErrorID(rawValue: $0.0)?.number == $0.1 })
    }

    #if canImport(Darwin) || CLOSER_KEYS_FOUNDATION
    @Test("a time that an error or an offer names is the same moment as a date") func date() {
        #expect(Date(Timestamp(secondsSince1970: 1_795_788_300)).description == "2026-11-27 14:05:00 +0000")
    }
    #endif

    @Test(
        "the words for an app are sentences that speak of what an app shows", arguments: walks + nestedWalks)
    func words(_ walk: Walk) {
        let foreign = ["key file", "right file", "vault", "closer-keys", "/", "--"]
        #expect(!walk.errors.isEmpty)
        for (name, error) in walk.errors {
            for text in [error.summary, error.remedy ?? error.summary] {
                #expect(text.hasSuffix(".") && !text.hasSuffix("..") && text.first?.isLowercase == false)
                #expect(!foreign.contains { text.lowercased().contains($0) }, "\(walk.type).\(name): \(text)")
            }
        }
    }

    @Test("each error that holds one of another type is walked with all of those") func inner() {
        func pairs(_ walks: [Walk]) -> Set<[String]> {
            Set(
                walks.flatMap { walk in
                    walk.errors.values.flatMap { error in
                        ErrorWordsTests.errors(in: error).map { [walk.type, Walk.name(of: type(of: $0))] }
                    }
                })
        }
        let several = walks.filter { $0.errors.count > 1 }.map(\.type)
        #expect(pairs(walks).filter { several.contains($0[1]) }.isSubset(of: pairs(nestedWalks)))
    }

    @Test("a backup throws errors of the vault, so their words fit both") func backup() {
        let errors: [VaultError] = [
            .authenticationFailed, .damaged, .tooLarge, .otherProtection, .costsRefused,
        ]
        #expect(errors.allSatisfy { !$0.summary.contains("this device") && !$0.summary.contains("takes") })
        #expect(VaultError.authenticationFailed.remedy?.contains("passphrase again") == true)
        #expect(VaultError.damaged.remedy?.contains("backup") == true)
        #expect(VaultError.unsupportedVersion.id == "unsupportedVersion")
    }

    #if canImport(Darwin) || CLOSER_KEYS_FOUNDATION
    @Test("Foundation shows the words, the type and the number", arguments: walks)
    func foundation(_ walk: Walk) {
        for error in walk.errors.values {
            let shown = error as NSError
            #expect(error.localizedDescription == error.summary)
            #expect(shown.localizedRecoverySuggestion == error.remedy)
            #expect(shown.domain == String(reflecting: type(of: error)) && shown.code == error.code)
        }
    }

    @Test("a couple that is missing and a wrong code differ where they were one") func twenty() {
        let errors: [any Error] = [VaultError.couple(.missing), VaultError.unwrap(.wrongCode)]
        #expect(errors.map { ($0 as NSError).domain } == Array(repeating: "CloserVault.VaultError", count: 2))
        #expect(errors.map { ($0 as NSError).code } == [4, 3])
        #expect(errors[0].localizedDescription == "This device has no such couple.")
    }
    #endif
}
