import CloserPrimitives
import CloserTink
import CloserWire
import Testing

@testable import CloserVectors

/// Live cases, in front of implementations with one fault each.
@Suite("Live cases")
struct LiveTests {
    @Test("ours opens every case that we make, and refuses every one with a fault", arguments: opening)
    func own(_ name: String) throws {
        var ours = OwnImplementation()
        let result = try LiveRunner.run(Self.operation(name), count: 120, with: &ours)
        #expect(result.counts.passed == (name == "wrap.unwrap" || name == "invite.open" ? 2 : 120))
        #expect(result.counts.failed == 0)
    }

    @Test("an implementation that opens everything, or nothing, is found")
    func careless() throws {
        struct Answering: Implementation {
            let outcome: Outcome
            func answer(_ test: VectorCase) -> Answer { Answer(outcome) }
        }
        for outcome in [Outcome.error("authFailed"), .output(["plaintext": ""])] {
            var theirs = Answering(outcome: outcome)
            let counts = try LiveRunner.run(Self.operation("field.open"), count: 200, with: &theirs).counts
            #expect(counts.failed > 100)
            #expect(counts.passed > 0)
        }
    }

    @Test("what was sealed as it must be is read back")
    func sealed() throws {
        #expect(try Self.failures(of: Sealer { $0 }) == [])
    }

    @Test("a sealer's faults are found, and named", arguments: Fault.allCases)
    func faulty(_ fault: Fault) throws {
        let words = try Self.failures(of: Sealer(fault.planted))
        try #require(!words.isEmpty)
        #expect(words.allSatisfy { $0.contains(fault.words) }, "\(words[0])")
    }

    @Test("a slow operation has a fiftieth of the cases, and one at least")
    func slow() throws {
        #expect([1, 49, 100, 1000].map(try Self.operation("wrap.wrap").caseCount) == [1, 1, 2, 20])
        #expect(try Self.operation("aead.seal").caseCount(outOf: 1000) == 1000)
    }

    @Test("cases differ, and have faults, prefixes and keys of every kind")
    func variety() throws {
        let cases = try (0..<400).map { _ in try Self.operation("aead.open").make() }
        let keysets = cases.compactMap { $0.input["keyset"]?.string }
        #expect(Set(keysets).count == 400)
        let comments = cases.map(\.comment)
        #expect(comments.contains { $0.hasSuffix("one bit flipped") })
        #expect(comments.contains { $0.hasSuffix("another context") })
        #expect(comments.contains("0 bytes"))
        let parsed = try cases.map { try VectorInput(members: $0.input.members ?? []).keyset("keyset") }
        #expect(Set(parsed.map(\.primary.prefix)) == Set(OutputPrefix.allCases))
        #expect(Set(parsed.map(\.entries.count)) == [1, 2, 3])
        #expect(parsed.contains { $0.entries.contains { $0.status == .disabled } })
        #expect(parsed.contains { $0.entries[0].id != $0.primaryID })
    }

    static let opening = LiveOperation.all.map(\.name).filter { !$0.hasSuffix(".seal") && $0 != "wrap.wrap" }

    private static func operation(_ name: String) throws -> LiveOperation {
        try #require(LiveOperation.all.first { $0.name == name })
    }

    private static func failures(of sealer: Sealer) throws -> [String] {
        var sealer = sealer
        let result = try LiveRunner.run(operation("aead.seal"), count: 40, with: &sealer)
        return result.results.compactMap { result in
            guard case .failed(let outcome, _) = result.verdict else { return nil }
            return outcome.words
        }
    }
}

/// `aead.seal` by this library; `change` may spoil what it takes, `spoil` what it gives.
private struct Sealer: Implementation {
    let change: @Sendable (Sealed) -> Sealed

    init(_ change: @escaping @Sendable (Sealed) -> Sealed) { self.change = change }

    func answer(_ test: VectorCase) -> Answer {
        do {
            let sealed = change(try Sealed(test.input))
            return Answer(.output(.object(try sealed.output())))
        } catch { return Answer(.fault("\(error)")) }
    }
}

/// What is sealed, and how.
struct Sealed {
    var keyset: Keyset
    var plaintext: [UInt8]
    var associatedData: [UInt8]
    var randomness = Randomness.system
    var members: [JSONValue.Member] = []

    init(_ input: VectorInput) throws {
        keyset = try input.keyset("keyset")
        (plaintext, associatedData) = (try input.hex("plaintext"), try input.hex("associatedData"))
    }

    func output() throws -> [JSONValue.Member] {
        let box = try KeysetAEAD(keyset).seal(
            plaintext.span, associatedData: associatedData.span, from: randomness)
        return [.init("ciphertext", .string(Hex.encode(box)))] + members
    }
}

/// One thing that a sealer does wrong.
enum Fault: CaseIterable, Sendable {
    case associatedData, plaintext, otherKey, constantNonce, extraMember

    @Sendable func planted(_ sealed: Sealed) -> Sealed {
        var sealed = sealed
        switch self {
        case .associatedData: sealed.associatedData.append(0)
        case .plaintext: sealed.plaintext.append(0)
        case .otherKey: sealed.keyset = Keyset(.aes256GCM, prefix: .tink)
        case .constantNonce: sealed.randomness = .testOnlyScript([UInt8](repeating: 7, count: 12))
        case .extraMember: sealed.members = [.init("iv", "00")]
        }
        return sealed
    }

    /// Among the words of the failure.
    var words: String {
        switch self {
        case .associatedData: "which we read as error authFailed"
        case .plaintext: "which we read as {\"plaintext\":"
        case .otherKey: "which we read as error "
        case .constantNonce: "with a nonce, salt or key that an earlier case has"
        case .extraMember: "which has not the members ciphertext"
        }
    }
}
