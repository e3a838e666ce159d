import CloserKeys
import CloserPrimitives
import CloserTink
import CloserWire
import TestSupport
import Testing

@testable import CloserVectors

/// What live cases are like.
@Suite("Live cases are drawn")
struct RandomCaseTests {
    @Test("a slow operation has a fiftieth of the cases, and two at least")
    func slow() throws {
        #expect([1, 149, 150, 1000].map(try VectorOperation.live("wrap.wrap").caseCount) == [2, 2, 3, 20])
        #expect(try VectorOperation.live("aead.seal").caseCount(outOf: 1000) == 1000)
    }

    @Test(
        "every fault that a reader must find is drawn",
        arguments: [
            ("aead.open", "one bit flipped, another associatedData, by a disabled key"),
            ("field.open", "one bit flipped, another coupleId, by a disabled key"),
            ("ecies.open", "one bit flipped, another context, by a disabled key"),
            ("keybox.open", "one bit flipped, another context, by a disabled key"),
            ("stream.open", "one bit flipped, another associatedData, by a disabled key"),
            ("chat.fitlink.open", "one bit flipped, another chatId, another peerPublicKey"),
            ("chat.fond.open", "one bit flipped, another info, another salt, another peerPublicKey"),
            (
                "chat2.open",
                "one bit flipped, another chatId, another from, another to, another messageId, another peerPublicKey, another peerChatKey"
            ),
            (
                "answer.open",
                "one bit flipped, another coupleId, another questionId, another userId, another oneTimeKey, another commitmentHash"
            ),
            ("pairing.confirm", "one bit flipped, another offer, another scalar"),
            ("pairing.finish", "one bit flipped, another offer, another scalar, another code"),
        ])
    func faults(_ name: String, _ expected: String) throws {
        let operation = try VectorOperation.live(name)
        let count = Effort.count(400, full: 800)
        let cases = try (0..<count).map { _ in try operation.draw() }
        let faults = cases.compactMap { made -> String? in
            guard case .error = made.expectation else { return nil }
            return String(made.comment.split(separator: ", ", maxSplits: 1)[1])
        }
        #expect(Set(faults) == Set(expected.split(separator: ", ").map(String.init)))
        #expect((count / 10...count / 2).contains(faults.count))
    }

    @Test("phrases and codes, which are slow, have both faults too")
    func slowFaults() throws {
        for name in ["wrap.unwrap", "invite.open"] {
            let operation = try VectorOperation.live(name)
            var comments: Set<String> = []
            // Each takes a derivation by Argon2id; fewer than one in a million runs needs more than these.
            for _ in 0..<130 where comments.count < 3 { comments.insert(try operation.draw().comment) }
            #expect(comments.contains { $0.hasSuffix(", one bit flipped") })
            #expect(comments.contains { $0.contains(", another ") })
        }
    }

    @Test("keysets have keys of every number, prefix and status, and sealed is under any of them")
    func keysets() throws {
        let inputs = try (0..<400).map { _ in
            VectorInput(members: try VectorOperation.live("aead.open").draw().input.members ?? [])
        }
        let keysets = try inputs.map { try $0.keyset("keyset") }
        let underOthers = try zip(inputs, keysets).filter { input, keyset in
            let prefix = try input.hex("ciphertext").dropFirst().prefix(4)
            return keyset.primary.prefix == .tink && !prefix.elementsEqual(keyset.primaryID.bigEndianBytes)
        }
        #expect((5...60).contains(underOthers.count))
        #expect(Set(keysets.map(\.primary.prefix)) == Set(OutputPrefix.allCases))
        #expect(Set(keysets.map(\.entries.count)) == [1, 2, 3])
        #expect(keysets.contains { $0.entries.contains { $0.status == .disabled } })
        #expect(keysets.contains { $0.entries[0].id != $0.primaryID })
    }

    @Test("boxes are to keys of both ciphers, with salts and without")
    func boxes() throws {
        let cases = try (0..<200).map { _ in try VectorOperation.live("ecies.open").draw() }
        let keys = try cases.flatMap {
            try VectorInput(members: $0.input.members ?? []).keyset("keyset").entries.map(\.material)
        }
        let parameters = keys.compactMap { material -> ECIESParameters? in
            guard case .eciesPrivate(let key)? = material else { return nil }
            return key.publicKey.parameters
        }
        #expect(parameters.count == keys.count)
        #expect(Set(parameters.map { $0.dem == .aes128GCM }) == [true, false])
        #expect(Set(parameters.map { $0.salt.isEmpty }) == [true, false])
    }

    @Test("a flipped bit is any bit behind the prefix, and one alone")
    func flips() throws {
        let part = SealedPart(member: "box", form: .base64, start: 2)
        let zeros: JSONValue = ["box": .string(Base64.standard.encode([UInt8](repeating: 0, count: 10)))]
        let flipped = try (0..<2000).map { _ in
            try part.bytes(in: part.flippingBit(in: zeros, behind: 3), behind: -2)
        }
        // All ten bytes, from in front of where the part begins.
        #expect(flipped.allSatisfy { $0.map(\.nonzeroBitCount).reduce(0, +) == 1 })
        #expect(flipped.allSatisfy { $0.prefix(5).allSatisfy { $0 == 0 } })
        #expect(Set(flipped).count == 5 * 8)
    }

    @Test("identifiers have 1 to 127 characters")
    func identifiers() throws {
        let counts = try (0..<600).map { _ in try UserID(parsing: RandomValue.identifier()).bytes.count }
        #expect(counts.min() == 1 && counts.max() == 127)
    }

    @Test("plaintexts are of every order of magnitude, and streams end beside segments")
    func sizes() throws {
        let counts = (0..<3000).map { _ in RandomValue.plaintext().count }
        for range in [0...0, 1...1, 15...17, 100...999, 1000...9999, 32_769...65_536] {
            #expect(counts.contains(where: range.contains), "\(range)")
        }
        let streams = (0..<3000).map { _ in RandomValue.streamPlaintext(segmentByteCount: 4096).count }
        for border in [4040, 4040 + 4080, 4040 + 2 * 4080] {
            #expect(streams.contains(border) && streams.contains(border - 1) && streams.contains(border + 1))
        }
    }

    @Test("canonical JSON is asked for in all spellings")
    func spellings() throws {
        let texts = try (0..<600).map { _ in
            let made = try VectorOperation.live("canonical").draw()
            return String(
                decoding: try VectorInput(members: made.input.members ?? []).hex("text"), as: UTF8.self)
        }
        for spelling in [
            "\\u00", "\\ud", "\\uD", "\\/", ".0", "e0", "E+0", "-0", "E-", "\r\n", "\t", "\u{2028}",
        ] {
            #expect(texts.contains { $0.contains(spelling) }, "\(spelling)")
        }
    }
}

extension UInt32 {
    fileprivate var bigEndianBytes: [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: self >> $0) } }
}
