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
    /// Those of the two now, and the one that Alice lost.
    let devices: [Device]
    let former: Device?
    /// What both devices show to be compared.
    let digits: SafetyNumber
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

    init(
        _ vaults: MemoryVaults, _ devices: [Device], former: Device?, _ papers: RevealPapers,
        _ server: RevealServer
    ) throws {
        (self.vaults, self.papers, self.server) = (vaults, papers, server)
        (self.devices, self.former) = (devices, former)
        let parties = devices.map {
            SafetyNumber.Party(user: $0.userID, couple: papers.name.couple, key: $0.publicKey)
        }
        digits = SafetyNumber(parties[0], parties[1])
        let added = try Golden.keyset().adding(.aes256GCM)
        rekeyed = try added.promoting(added.entries.last?.id ?? 0)
    }

    /// The number of a vault, by all that counts in it.
    func keep(_ vault: Vault, as seat: Seat) throws -> Int {
        try keep(vault, as: seat, vaults.bytes(vault.name))
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

    /// Whether Alice lost a phone.
    var isLost: Bool { former != nil }
    func publicKey(of seat: Seat) -> Int { papers.names.of(devices[seat.rawValue].publicKey) }
    func publicKey(of owner: RevealStep.KeyOwner, for seat: Seat) -> Int {
        papers.names.of(key(of: owner, for: seat))
    }

    /// What a vault is after something else than a step.
    func changed(_ number: Int, _ change: (Vault) throws -> Void) throws -> Int {
        let vault = try open(number)
        opened = nil
        try change(vault)
        return try keep(vault, as: view(number).seat.seat)
    }

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
        let bytes = try vaults.bytes(vault.name)
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
        case .reveal(let step): return try reveal(step, in: vault, as: seat)
        case .forget: try vault.forget(answers: [papers.name])
        case .compare(let owner): try compare(with: owner, in: vault, as: seat)
        case .rekey:
            try vault.plant(papers.name.couple, keyset: rekeyed, rekeyed: [rekeyed.primaryID])
        }
        return nil
    }
}
