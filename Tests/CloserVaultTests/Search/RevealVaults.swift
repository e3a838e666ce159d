import CloserKeys
import CloserTink
import TestSupport

@testable import CloserVault

/// Takes steps with real vaults, as ``SearchVaults`` does for a pairing: each vault that was reached is kept as its bytes, and a step
/// with one vault is taken once.
final class RevealVaults {
    private struct Kept {
        let bytes: [UInt8]
        let view: RevealView
    }

    private struct Move: Hashable {
        let vault: Int
        let step: RevealStep
    }

    let papers: RevealPapers
    let server: RevealServer
    /// The identities and the public keys of the two.
    private let identities: [Keyset]
    private let keys: [PublicKeyToken]
    /// The couple's keys after a rekey.
    private let rekeyed: Keyset
    private let vaults: MemoryVaults
    private var kept: [Kept] = []
    private var numbers: [RevealView: Int] = [:]
    private var moves: [Move: RevealOutcome] = [:]
    /// The vault that is open now, as long as nothing has changed it.
    private var opened: (number: Int, vault: Vault)?
    var moveCount: Int { moves.count }
    var vaultCount: Int { kept.count }

    init(_ vaults: MemoryVaults, _ devices: [Device], _ papers: RevealPapers, _ server: RevealServer) throws {
        (self.vaults, self.papers, self.server) = (vaults, papers, server)
        (identities, keys) = (devices.map(\.identity), devices.map(\.publicKey))
        let added = try Golden.keyset().adding(.aes256GCM)
        rekeyed = try added.promoting(added.entries.last?.id ?? 0)
    }

    /// The number of a vault, by all that counts in it.
    func keep(_ vault: Vault, as seat: Seat) throws -> Int {
        try keep(vault, as: seat, vaults.bytes(vault.path))
    }

    private func keep(_ vault: Vault, as seat: Seat, _ bytes: [UInt8]) throws -> Int {
        let view = try RevealView(of: vault, as: seat, papers.names, of: papers.name)
        if let number = numbers[view] { return number }
        kept.append(Kept(bytes: bytes, view: view))
        numbers[view] = kept.count - 1
        return kept.count - 1
    }

    func view(_ vault: Int) -> RevealView { kept[vault].view }
    /// Which content was sealed in it; none is -1. A payload is blinded, so two contents are told apart with full effort alone.
    func content(of vault: Int) -> Int {
        guard Effort.isFull, let answer = view(vault).answer, let number = papers.genuine(answer.commitment)
        else { return -1 }
        return papers.answers[number].content.number
    }

    func publicKey(of seat: Seat) -> Int { papers.names.of(keys[seat.rawValue]) }

    /// Takes a step, or tells what came of it before.
    func take(_ step: RevealStep, in number: Int) throws -> RevealOutcome {
        let move = Move(vault: number, step: step)
        if let outcome = moves[move] { return outcome }
        let seat = view(number).seat.seat
        let vault = try open(number)
        var (output, error) = (RevealOutput?.none, VaultError?.none)
        do { output = try take(step, in: vault, as: seat) } catch let refusal as VaultError {
            error = refusal
        }
        let bytes = try vaults.bytes(vault.path)
        let after = try bytes == kept[number].bytes ? number : keep(vault, as: seat, bytes)
        opened = after == number ? (number, vault) : nil
        let outcome = RevealOutcome(vault: after, output: output, error: error)
        moves[move] = outcome
        return outcome
    }

    private func open(_ number: Int) throws -> Vault {
        if let opened, opened.number == number { return opened.vault }
        vaults.write(kept[number].bytes, to: "step")
        return try vaults.open("step")
    }

    private func take(_ step: RevealStep, in vault: Vault, as seat: Seat) throws -> RevealOutput? {
        switch step {
        case .seal(let content, let replacing):
            return .answer(try seal(content, replacing: replacing, in: vault, as: seat))
        case .document: return try document(in: vault, as: seat)
        case .release(let theirs, let owner): return .box(try release(theirs, owner, in: vault, as: seat))
        case .reveal(let theirs, let box, let allowing):
            return try reveal(theirs, box, allowing, in: vault)
        case .rekey:
            try vault.plant(papers.name.couple, keyset: rekeyed, rekeyed: [rekeyed.primaryID])
            return nil
        }
    }
}

// MARK: - The steps, as the program takes them

extension RevealVaults {
    private func seal(_ content: Int, replacing: Bool, in vault: Vault, as seat: Seat) throws -> Int {
        guard let place = papers.name.place else { preconditionFailure("a question without a place") }
        let text = RevealPapers.text(content)
        let stored = try vault.seal(
            answer: text.utf8, to: papers.name.question, at: place, of: papers.name.couple,
            replacing: replacing)
        guard let sealed = stored.sealed else { preconditionFailure("a sealed answer without its text") }
        let written = RevealAnswer.Content(
            sealedAs: seat, commitment: papers.names.of(stored.commitment),
            oneTimeKey: papers.names.oneTimeKey(sealed.oneTimeKey),
            macKey: try papers.names.primary(of: vault.couple(papers.name.couple).key), number: content)
        return papers.add(papers.answer(try stored.document, as: seat, by: seat, written))
    }

    /// What `seal` printed; nil if it is not what was sealed.
    private func document(in vault: Vault, as seat: Seat) throws -> RevealOutput? {
        let document: AnswerDocument
        do { document = try vault.answer(papers.name).document } catch let error as AnswerError {
            throw VaultError.answer(error)
        }
        let (token, commitment) = (papers.names.of(document.token), papers.names.of(document.commitment))
        let number = papers.genuine(commitment)
        guard let number, papers.answers[number].token == token, papers.answers[number].label == seat else {
            return nil
        }
        return .answer(number)
    }

    private func release(
        _ theirs: Int, _ owner: RevealStep.KeyOwner, in vault: Vault, as seat: Seat
    ) throws -> Int {
        let key =
            switch owner {
            case .partner: keys[seat.other.rawValue]
            case .own: keys[seat.rawValue]
            case .server: server.key
            }
        let document = try vault.release(papers.name, to: papers.answers[theirs].delivered, key: key).document
        let own = try vault.answer(papers.name).commitment
        let answer = papers.genuine(papers.names.of(own))
        let opened = owner == .partner ? try oneTimeKey(in: document, from: seat) : nil
        let claimed = answer.map { papers.answers[$0].content.oneTimeKey }
        return papers.add(
            RevealBox(
                document: document, label: seat, author: seat, name: papers.names.of(document.keybox),
                oneTimeKey: (owner == .partner ? opened : claimed) ?? 0, sender: seat, recipient: seat.other,
                sealedTo: papers.names.of(key)))
    }

    /// What the partner's device finds in a release; nil if it does not open.
    private func oneTimeKey(in document: ReleaseKeyDocument, from seat: Seat) throws -> Int? {
        let context = KeyContext.release(try papers.context(author: seat), to: document.recipientID).bytes
        let identity = identities[seat.other.rawValue]
        guard let opened = try? HybridBox.open(document.keybox.box, with: identity, context: context) else {
            return nil
        }
        return papers.names.of("one-time key", opened.plaintext.testOnlyBytes())
    }

    private func reveal(
        _ theirs: Int, _ box: Int, _ allowing: Bool, in vault: Vault
    ) throws -> RevealOutput {
        let shown = try vault.reveal(
            papers.name, of: papers.answers[theirs].delivered, with: papers.boxes[box].document,
            allowingUnauthenticated: allowing)
        let hash = papers.names.of(Commitment(to: shown.answer.payload))
        return .shown(
            hash, text: String(decoding: shown.answer.answer, as: UTF8.self), authenticity: shown.authenticity
        )
    }
}
