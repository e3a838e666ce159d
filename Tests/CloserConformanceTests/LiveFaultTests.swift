import CloserPrimitives
import CloserTink
import CloserWire
import TestSupport
import Testing

@testable import CloserConformance
@testable import CloserVectors

/// Implementations with one fault each, in front of live cases: our own library, spoiled.
@Suite("Live cases find")
struct LiveFaultTests {
    static let sealing = VectorOperation.withLiveCases.filter(\.isSealing).map(\.name)

    @Test(
        "random bytes that are always the same, in all but the first case",
        .proves("`vectors live` finds a repeated nonce"), arguments: sealing)
    func constant(_ name: String) throws {
        let words = try failures(
            of: name, Spoiled { _ in .testOnlyScript([UInt8](repeating: 7, count: 1024)) })
        #expect(words.count == (try VectorOperation.live(name).caseCount(outOf: 40)) - 1)
        #expect(
            words.allSatisfy {
                $0.contains(/^the (nonce|salt|ephemeral key|one-time key|share) of case \d+ again: \{/)
            })
    }

    @Test("random bytes that are derived from the input, when it comes once more", arguments: sealing)
    func derived(_ name: String) throws {
        let words = try failures(
            of: name,
            Spoiled { input in
                let digest = SHA256.hash(input.value.canonicalBytes.span)
                return .testOnlyScript((0..<32).flatMap { _ in digest })
            })
        #expect(words.count == (try VectorOperation.live(name).caseCount(outOf: 40)) / 2)
        #expect(words.allSatisfy { $0.contains(" again: {") })
    }

    @Test(
        "a generator that begins the same at every start", .proves("`vectors live` finds a repeated nonce"),
        arguments: ["aead.seal", "wrap.wrap"])
    func seeded(_ name: String) throws {
        let words = try failures(of: name, Seeded())
        #expect(words.count == (try VectorOperation.live(name).caseCount(outOf: 40)) / 2)
        #expect(words.allSatisfy { $0.contains(" again: {") })
    }

    @Test("another context, plaintext, key or member than was asked")
    func misread() throws {
        let faults: [(String, words: String, Change)] = [
            ("associatedData", "read back: error authFailed: {", { $0.adding("associatedData", "00ff") }),
            ("plaintext", "read back: {\"plaintext\":", { $0.adding("plaintext", "00ff") }),
            ("keyset", "read back: error ", { $0.adding("keyset", .keyset(Keyset(.aes256GCM))) }),
        ]
        for (member, expected, change) in faults {
            let words = try failures(of: "aead.seal", Spoiled(input: change))
            #expect(words.count == 40, "\(member)")
            #expect(words.allSatisfy { $0.hasPrefix(expected) }, "\(words[0])")
        }
        let more = try failures(of: "aead.seal", Spoiled(output: { $0.adding("iv", "00") }))
        #expect(more.count == 40)
        #expect(more.allSatisfy { $0.hasPrefix("its members are not ciphertext: {") })
    }

    @Test("a sealing that does not open asks for a trace, and other faults do not")
    func hint() throws {
        func hint(_ implementation: Spoiled) throws -> String? {
            var implementation = implementation
            let result = try LiveRunner.run(
                try VectorOperation.live("aead.seal"), count: 4, with: &implementation)
            return Report(files: [result], of: .operation).hint
        }
        let unread = try hint(Spoiled(input: { $0.adding("associatedData", "00ff") }))
        #expect(unread?.contains("in a trace the first that differs is named") == true)
        #expect(try hint(Spoiled(input: { $0.adding("plaintext", "00ff") })) == nil)
        #expect(try hint(Spoiled(output: { $0.adding("iv", "00") })) == nil)
    }

    @Test("hexadecimal in upper case, and a constant even if one case is asked for")
    func spelling() throws {
        let shouting = Spoiled(output: { output in
            .object(
                (output.members ?? []).map { .init($0.name, .string(($0.value.string ?? "").uppercased())) })
        })
        #expect(try failures(of: "aead.seal", shouting).count == 40)
        let constant = Spoiled { _ in .testOnlyScript([UInt8](repeating: 7, count: 1024)) }
        #expect(try failures(of: "aead.seal", count: 1, constant).count == 1)
    }

    @Test("a sealer that takes the first key for the primary")
    func firstKey() throws {
        let words = try failures(
            of: "aead.seal", Spoiled(input: Self.changingKeyset { try $0.promoting($0.entries[0].id) }))
        #expect(!words.isEmpty)
        #expect(words.allSatisfy { $0.hasPrefix("sealed under a key that is not the primary: ") })
    }

    @Test("a reader that knows the primary alone, and one that does not look whether a key is disabled")
    func readers() throws {
        let primaryOnly = try failures(
            of: "field.open", count: 300,
            Spoiled(
                input: Self.changingKeyset { keyset in
                    try keyset.entries.map(\.id).filter { $0 != keyset.primaryID }.reduce(keyset) {
                        try $0.removing($1)
                    }
                }))
        #expect(primaryOnly.count > 5)
        #expect(primaryOnly.allSatisfy { $0 == "error noKey" || $0 == "error authFailed" })
        let ignoringStatus = try failures(of: "aead.open", count: 300, Spoiled(answer: { $0 == "noKey" }))
        #expect(!ignoringStatus.isEmpty)
    }

    @Test("a reader that does not compare commitments")
    func commitments() throws {
        let uncommitted = Spoiled(answer: { $0 == "commitmentMismatch" })
        #expect(!(try failures(of: "answer.open", count: 600, uncommitted)).isEmpty)
    }

    @Test("a program that refuses everything, and one that opens everything")
    func careless() throws {
        #expect(try failures(of: "field.open", count: 100, Spoiled(input: { _ in [:] })).count == 100)
        let opening = try failures(of: "field.open", count: 300, Spoiled(answer: { _ in true }))
        #expect((20...150).contains(opening.count))
    }

    @Test(
        "the value on the way that differs, when the program tells it",
        arguments: ["field.seal", "field.open"])
    func traced(_ name: String) throws {
        var theirs = Spoiled(
            input: { $0.adding("coupleId", "other") }, trace: ["associatedData": "6f74686572"])
        let result = try LiveRunner.run(VectorOperation.live(name), count: 30, with: &theirs)
        let differences = result.results.compactMap { result -> Trace.Difference? in
            guard case .failed(_, let difference) = result.verdict else { return nil }
            return difference
        }
        #expect(differences.count >= 10)
        #expect(differences.allSatisfy { $0.name == "associatedData" && $0.got == "6f74686572" })
    }

    @Test("what passed is told in short, and what failed whole")
    func told() throws {
        var theirs = Seeded()
        let result = try LiveRunner.run(VectorOperation.live("aead.seal"), count: 4, with: &theirs)
        #expect(result.results.map { $0.test.input.members.count } == [0, 0, 3, 3])
        #expect(result.results.map { $0.reading?.operation } == [nil, nil, "aead.open", "aead.open"])
    }

    private typealias Change = @Sendable (JSONValue) throws -> JSONValue

    private static func changingKeyset(_ change: @escaping @Sendable (Keyset) throws -> Keyset) -> Change {
        { input in
            let keyset = try VectorInput(members: input.members ?? []).keyset("keyset")
            // A key that is disabled cannot be made the primary: then nothing is changed.
            return input.adding("keyset", .keyset((try? change(keyset)) ?? keyset))
        }
    }

    private func failures(
        of name: String, count: Int = 40, _ implementation: some Implementation
    ) throws -> [String] {
        var implementation = implementation
        let result = try LiveRunner.run(VectorOperation.live(name), count: count, with: &implementation)
        return result.results.compactMap { result in
            guard case .failed(let outcome, _) = result.verdict else { return nil }
            return outcome.words
        }
    }
}

/// Our own library, with one thing wrong.
private struct Spoiled: Implementation {
    var randomness: @Sendable (VectorInput) -> Randomness = { _ in .system }
    var input: @Sendable (JSONValue) throws -> JSONValue = { $0 }
    var output: @Sendable (JSONValue) -> JSONValue = { $0 }
    var trace: JSONValue = [:]
    /// Errors in place of which it gives what it makes up.
    var answer: @Sendable (String) -> Bool = { _ in false }

    func answer(_ test: VectorCase) -> Answer {
        let changed = (try? input(test.input.value)) ?? test.input.value
        let asked = VectorCase(
            operation: test.operation, id: test.id, comment: "", flags: [], input: changed.members ?? [],
            expectation: test.expectation)
        let given = OwnImplementation(sealingFrom: randomness(test.input)).answer(asked)
        return Answer(outcome(given.outcome), trace: Trace(trace) ?? Trace())
    }

    private func outcome(_ outcome: Outcome) -> Outcome {
        switch outcome {
        case .output(let output): .output(self.output(output))
        case .error(let id) where answer(id): .output(["plaintext": "00"])
        default: outcome
        }
    }
}

/// Its random bytes are counted from its start.
private struct Seeded: Implementation {
    private var asked: UInt8 = 0

    mutating func answer(_ test: VectorCase) -> Answer {
        asked += 1
        let bytes = [UInt8](repeating: asked, count: 1024)
        return OwnImplementation(sealingFrom: .testOnlyScript(bytes)).answer(test)
    }

    mutating func restart() { asked = 0 }
}
