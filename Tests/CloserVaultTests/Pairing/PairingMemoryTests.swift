import CloserKeys
import CloserPrimitives
import CloserTink
import CloserWire
import TestSupport
import Testing

@testable import CloserVault

/// What a device remembers of a pairing lies sealed between two steps: the vault's secrets live as long as a step.
@Suite("Secrets of a pairing between its steps", .serialized)
struct PairingMemoryTests {
    private let scene: PairingScene

    init() throws { scene = try PairingScene() }

    private func secrets(_ vault: Vault) throws -> [MaskedPattern] {
        var patterns: [MaskedPattern] = []
        for pairing in try vault.pairings(of: scene.couple) where pairing.status.isLive {
            guard let code = pairing.copyOfCode() else { continue }
            patterns.append(MaskedPattern(masking: code.copyOfSecret()))
            if let invite = try pairing.openOffer() {
                patterns.append(MaskedPattern(masking: invite.withScalar { SecretBytes(copying: $0) }))
            }
            if let answer = try pairing.answer() {
                let keys = answer.withKeys { SecretBytes(copying: $0.extracting(first: 32)) }
                patterns.append(MaskedPattern(masking: keys))
            }
        }
        return patterns
    }

    private func expectNone(_ patterns: [MaskedPattern], at location: SourceLocation = #_sourceLocation)
        throws
    {
        #expect(!patterns.isEmpty, sourceLocation: location)
        for pattern in patterns { #expect(try MemoryScan.count(pattern) == 0, sourceLocation: location) }
    }

    /// As a program does: what is told goes to a file, and the rest is dropped.
    private func invite() throws -> (offer: PairOffer, half: MaskedPattern, code: [UInt8]) {
        let draft = try scene.alice.draftOffer(of: scene.couple, beginningAt: .strict)
        try scene.alice.store(draft)
        let text = draft.code.text
        let half = MaskedPattern(masking: draft.code.copyOfSecret())
        // Masked, so that the test has no copy itself.
        return (draft.offer, half, text.withBytes { bytes in bytes.indices.map { bytes[$0] ^ 0xA5 } })
    }

    @Test(
        "code, scalar, keys and couple key are in no memory while a step is waited for; a planted copy is found"
    )
    func between() throws {
        let invite = try invite()
        try expectNone([invite.half] + secrets(scene.alice))
        let reply = try {
            let typed = SecretBytes(capacity: 16) { output in
                for byte in invite.code { output.append(byte ^ 0xA5) }
            }
            return try scene.bob.accept(
                invite.offer, code: PairingCode(typed: typed), of: scene.couple)
        }()
        try expectNone([invite.half] + secrets(scene.bob))
        let grant = try scene.confirm(reply, in: scene.alice)
        try scene.finish(grant, in: scene.bob)
        let key = MaskedPattern(
            masking: try scene.bob.couple(scene.couple).key.keyset.copyOfPrimary())
        try expectNone([invite.half, key])
        let planted = invite.code.map { $0 ^ 0xA5 }
        #expect(try MemoryScan.count(invite.half) == 1, "a copy of \(planted.count) bytes is not found")
    }
}

extension Keyset {
    /// The 32 bytes of an AES-256-GCM key.
    fileprivate func copyOfPrimary() throws -> SecretBytes {
        guard case .aesGCM(let key)? = primary.material else { throw KeysetError.malformed }
        return key.withBytes { $0.withBytes { SecretBytes(copying: $0) } }
    }
}
