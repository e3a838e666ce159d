import CloserPrimitives
import TestSupport
import Testing

/// Runs alone: it reads counters and memory of the whole process.
@Suite("Secrets in memory", .serialized)
struct OwnershipTests {
    @Test(
        "a secret is found in memory while it lives, and nowhere after it is gone",
        .proves("Secrets are in locked memory, and are wiped"))
    func wiped() throws {
        let pattern = MaskedPattern.random()
        do {
            let secret = pattern.secret()
            let found = try MemoryScan.count(pattern)
            #expect(found == 1)
            _ = secret.count
        }
        #expect(try MemoryScan.count(pattern) == 0)
    }

    @Test(
        "a short-lived secret is wiped when its slot comes back, a short one and a long one",
        arguments: [32, 4096])
    func slotWiped(capacity: Int) throws {
        let pattern = MaskedPattern.random()
        do {
            let secret = pattern.shortLivedSecret(capacity: capacity)
            let found = try MemoryScan.count(pattern)
            #expect(found == 1)
            _ = secret.count
        }
        #expect(try MemoryScan.count(pattern) == 0)
    }

    @Test("the scan finds a copy that was planted, so that finding none means something")
    func planted() throws {
        let pattern = MaskedPattern.random()
        let copy = pattern.secret().testOnlyBytes()
        #expect(try MemoryScan.count(pattern) >= 1)
        #expect(copy.count == 32)
    }

    @Test("a secret that a failed initialiser had begun is wiped")
    func abandoned() throws {
        struct Refusal: Error {}
        let pattern = MaskedPattern.random()
        #expect(throws: Refusal.self) {
            _ = try SecretBytes(capacity: 32) { (output) throws(Refusal) in
                pattern.write(to: &output)
                throw Refusal()
            }
        }
        #expect(try MemoryScan.count(pattern) == 0)
    }

    @Test(
        "keys: an AES key schedule, a P-256 scalar and what was derived leave nothing of the secret behind",
        .proves("Secrets are in locked memory, and are wiped"))
    func keysWiped() throws {
        let pattern = MaskedPattern.random()
        do {
            let cipher = AESGCM(key: pattern.secret())
            // Some providers compute the schedule only now.
            _ = cipher.sealCombined(Span(), authenticating: Span())
            let derived = HKDF.derive(from: pattern.secret(), salt: Span(), info: Span(), count: 32)
            let scalar = try P256.PrivateKey(adopting: pattern.secret())
            let shared = scalar.sharedSecret(with: P256.PrivateKey.random().publicKey)
            _ = (cipher, scalar, derived.count, shared.count)
        }
        try KnownDifference.expectNoKeySchedule(of: pattern)
    }

    @Test("the plaintext of a box is in its secret, and nowhere else")
    func openedOnce() throws {
        let pattern = MaskedPattern.random()
        let cipher = AESGCM(key: SecretBytes.random(count: 32))
        // Freed memory begins with notes of the system's; what is behind them would be left.
        let plaintext = SecretBytes(capacity: 80) {
            $0.append(repeating: 0, count: 48)
            pattern.write(to: &$0)
        }
        let box = plaintext.withBytes { cipher.sealCombined($0, authenticating: Span()) }
        do {
            let opened = try cipher.openCombined(box.span, authenticating: Span())
            let found = try MemoryScan.count(pattern)
            #expect(found == 2)
            _ = (opened.count, plaintext.count)
        }
        #expect(try MemoryScan.count(pattern) == 1)
        _ = plaintext.count
    }

    @Test("a plaintext that was not authentic is wiped")
    func unauthenticWiped() throws {
        let pattern = MaskedPattern.random()
        let cipher = AESGCM(key: SecretBytes.random(count: 32))
        let nonce = [UInt8](repeating: 1, count: 12)
        let plaintext = pattern.secret()
        var box = plaintext.withBytes { plaintext in
            [UInt8](capacity: 48) {
                cipher.seal(plaintext, nonce: nonce.span, authenticating: Span(), into: &$0)
            }
        }
        box[47] ^= 1
        var during = -1
        let kept = [UInt8](capacity: 48) { output in
            try? cipher.open(box.span, nonce: nonce.span, authenticating: Span(), into: &output)
            during = (try? MemoryScan.count(pattern)) ?? -1
        }
        // Once: in the secret itself, and not in the output that was given up.
        #expect((during, kept.count) == (1, 0))
        _ = plaintext.count
    }

    @Test(
        "the memory of secrets is locked, and given back",
        .proves("Secrets are in locked memory, and are wiped"))
    func locked() async {
        // In a process of its own: other tests lock and free memory at the same time.
        await #expect(processExitsWith: .success) {
            _ = SecretBytes.random(count: 5000).count  // libsodium and the arena have started
            let before = try MemoryScan.lockedKiB()
            let secret = SecretBytes.random(count: 5000)
            let during = try MemoryScan.lockedKiB()
            for _ in 0..<200 { _ = SecretBytes.random(count: 5000).count }
            let after = try MemoryScan.lockedKiB()
            precondition(during >= before + 8 && after == during)
            precondition(SelfTest.memory.taken >= 202 && SelfTest.memory.unlocked == 0)
            _ = secret.count
        }
    }

    @Test("more short-lived secrets than slots, and larger ones than a slot")
    func arenaExhausted() {
        var nested: [Box] = (0..<100).map { _ in Box(SecretBytes.random(shortLived: 32)) }
        let large = SecretBytes.random(shortLived: 1000)
        #expect(Set(nested.map { $0.secret.testOnlyBytes() }).count == 100)
        let (largeCount, slotCount) = (large.count, SecretBytes.random(shortLived: 256).count)
        #expect(largeCount == 1000)
        #expect(slotCount == 256)
        nested.removeAll()
    }

    @Test(
        "of either size there are as many slots as we say, none is lent twice, and a longer secret has pages")
    func slots() async {
        await #expect(processExitsWith: .success) {
            _ = (SecretBytes.random(shortLived: 1).count, SecretBytes.random(shortLived: 4096).count)
            let before = SelfTest.memory.taken
            var held = (0..<64).map { _ in Box(SecretBytes.random(shortLived: 256)) }
            held += (0..<4).map { _ in Box(SecretBytes.random(shortLived: 257)) }
            precondition(SelfTest.memory.taken == before)
            precondition(Set(held.map { $0.secret.testOnlyBytes() }).count == 68)
            held += [1, 257, 4097].map { Box(SecretBytes.random(shortLived: $0)) }
            precondition(SelfTest.memory.taken == before + 3)
            held.removeAll()
            _ = (SecretBytes.random(shortLived: 256).count, SecretBytes.random(shortLived: 4096).count)
            precondition(SelfTest.memory.taken == before + 3)
        }
    }

    @Test("short secrets that live long share pages, which are given back, and none has the bytes of another")
    func sharedPages() async {
        await #expect(processExitsWith: .success) {
            _ = SecretBytes.random(count: 1).count
            let before = (SelfTest.memory.taken, try MemoryScan.lockedKiB())
            let first = Box(SecretBytes.random(count: 256))
            let expected = first.secret.testOnlyBytes()
            var held = (0..<3200).map { _ in Box(SecretBytes.random(count: 256)) }
            precondition(Set(held.map { $0.secret.testOnlyBytes() }).count == 3200)
            precondition(SelfTest.memory.taken == before.0 + 100)
            // One of three goes, others take their room, and nothing else is touched.
            let kept = held.enumerated().filter { $0.offset % 3 != 0 }.map {
                ($0.element, $0.element.secret.testOnlyBytes())
            }
            held = kept.map(\.0)
            let others = (0..<1000).map { _ in Box(SecretBytes.random(count: 64)) }
            precondition(kept.allSatisfy { $0.secret.testOnlyBytes() == $1 } && others.count == 1000)
            precondition(SelfTest.memory.taken == before.0 + 100)
            held.removeAll()
            _ = consume kept
            _ = consume others
            precondition(first.secret.testOnlyBytes() == expected)
            let after = try MemoryScan.lockedKiB()
            precondition(after <= before.1 + 8)
        }
    }

    @Test("equality is by content, and differs by one bit or by length")
    func equality() {
        let bytes = Randomness.system.bytes(48)
        let ours = SecretBytes(testOnly: bytes)
        let same = ours.isEqual(to: SecretBytes(testOnly: bytes))
        let shorter = ours.isEqual(to: SecretBytes(testOnly: Array(bytes.dropLast())))
        let changed = (0..<bytes.count * 8).contains {
            ours.isEqual(to: SecretBytes(testOnly: bytes.flipping(bit: $0)))
        }
        let empty = SecretBytes(testOnly: []).isEqual(to: SecretBytes(testOnly: []))
        #expect((same, shorter, changed, empty) == (true, false, false, true))
    }

    @Test("a key of another length than AES has is our mistake, and stops the process")
    func keyLength() async {
        await #expect(processExitsWith: .failure) {
            _ = AESGCM(key: SecretBytes.random(count: 24))
        }
    }

    @Test("scripted randomness does not repeat: it stops the process when it runs out")
    func scriptRunsOut() async {
        await #expect(processExitsWith: .failure) {
            _ = Randomness.testOnlyScript([1, 2, 3]).bytes(4)
        }
    }
}

private final class Box: Sendable {
    let secret: SecretBytes
    init(_ secret: consuming SecretBytes) { self.secret = secret }
}
