import CloserKeys

@testable import CloserVault

/// What one person does with the question, as the program does it.
enum RevealStep: Hashable {
    case seal(Int, replacing: Bool)
    /// `status --document`: what `seal` printed, once more.
    case document
    case release(facing: Int, to: KeyOwner)
    case reveal(Reveal)
    /// What is released, revealed and in an archive leaves the vault.
    case forget
    /// The digits on the partner's device are compared with those of a key that the server hands out.
    case compare(KeyOwner)
    /// The couple is rekeyed: from then on a key seals that the server never saw.
    case rekey

    /// Whose public key the server hands out as the partner's.
    enum KeyOwner: String, CaseIterable {
        case partner
        /// The partner's, on the phone that they lost.
        case former
        case server
        case own
    }

    /// The partner's answer with a release, and what this person brings besides.
    struct Reveal: Hashable {
        let theirs: Int
        let box: Int
        var allowing = false
        /// This person's own document, as the server hands it out.
        var own: Int?
        var archiving: Vault.Archiving?
    }
}

/// A document of an answer that somebody made, and what is known of it by whoever knows all keys.
struct RevealAnswer {
    /// As it is delivered. The server may name another author than the true one.
    let delivered: PartnerAnswer
    /// Who it says has written it.
    let label: Seat
    /// Who wrote it; nil for the server.
    let author: Seat?
    /// What the server did; nil for a genuine one.
    var trick: String?
    /// Whether it says that it answers the question.
    let isOfQuestion: Bool
    let token: Int
    let commitment: Int
    var content: Content

    /// What is inside of the token.
    struct Content {
        /// Whose answer it was sealed as: the token opens for no other author.
        let sealedAs: Seat
        /// What a hash of it gives, which need not be what the document says.
        let commitment: Int
        let oneTimeKey: Int
        /// The key under which its MAC holds; nil if it has none.
        let macKey: Int?
        var isOfPlace = true
        /// What its author wrote, by number.
        let number: Int

        /// The object that the app of the author hands over to be sealed.
        var text: String { RevealPapers.text(number) }
    }
}

/// A release that somebody made.
struct RevealBox {
    let document: ReleaseKeyDocument
    /// Who it says has released it, and who made it; nil for the server.
    let label: Seat
    let author: Seat?
    var trick: String?
    let name: Int
    let oneTimeKey: Int
    /// For whose answer and which recipient the box was sealed, and to which key.
    let sender: Seat
    let recipient: Seat
    let sealedTo: Int
}

/// What came out of a step.
enum RevealOutput: Equatable {
    case answer(Int)
    case box(Int)
    case shown(Shown)

    /// What a person was shown: the hash of the payload, the app's object in it, and how far it is proven.
    struct Shown: Equatable {
        let hash: Int
        let text: String
        let authenticity: Authenticity
        /// The hashes of both payloads in the archive, ours first, or none if it does not tell the same; nil if there is no archive.
        let archived: [Int]?
    }
}

/// What a step came to: the vault as it is now, and what came out or why nothing did.
struct RevealOutcome {
    let vault: Int
    let output: RevealOutput?
    let error: VaultError?
}
