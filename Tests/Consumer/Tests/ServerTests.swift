import CloserKeys
import CloserPrimitives
import CloserTink
import CloserVault
import Foundation
import Testing

// doc: YourServerChecksDocuments
/// What a server does with what its users send: it has no key, and stores a document only if it breaks no rule.
struct DocumentHandler: Sendable {
    enum Response: Equatable { case stored, refused([String]), notADocument }

    func put(_ body: Data, as kind: DocumentKind, over stored: CoupleDocument? = nil) -> Response {
        do {
            let broken = try kind.brokenRules(in: body, after: stored, requiring: .strict)
            return broken.isEmpty ? .stored : .refused(broken.map(\.id))
        } catch { return .notADocument }
    }
}
// doc: end

@Suite("A server with many tasks")
struct ServerTests {
    private static let taskCount = 100

    @Test("documents of every kind are checked without a key, a hundred at once") func checks() async throws {
        let samples = try Samples()
        let handler = DocumentHandler()
        let responses = await withTaskGroup(of: (DocumentKind, DocumentHandler.Response).self) { group in
            for index in 0..<Self.taskCount {
                let kind = DocumentKind.allCases[index % DocumentKind.allCases.count]
                group.addTask { (kind, handler.put(samples.documents[kind] ?? Data(), as: kind)) }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(responses.count == Self.taskCount && responses.allSatisfy { $0.1 == .stored })
    }

    @Test("a broken document is refused by the names of its rules") func broken() {
        let handler = DocumentHandler()
        #expect(
            handler.put(Data(#"{"publicKey":"pub:v1:AAAA","platform":""}"#.utf8), as: .device)
                == .refused(["publicKey.publicKey", "platform.platform"]))
        #expect(handler.put(Data("[]".utf8), as: .couple) == .notADocument)
        #expect(handler.put(Data(#"{"a":1,"a":2}"#.utf8), as: .couple) == .notADocument)
    }

    @Test("an invite in the place of a couple's document, which it satisfies, is refused") func invite()
        throws
    {
        let samples = try Samples()
        let invite = try #require(samples.documents[.invite])
        #expect(throws: DocumentCheckError.otherKind(.invite)) {
            try DocumentKind.couple.brokenRules(in: invite)
        }
        #expect(throws: DocumentCheckError.tooLarge) {
            try DocumentKind.couple.brokenRules(in: Data(count: DocumentKind.maximumByteCount + 1))
        }
    }

    @Test("a lower encryption version than before is a broken rule") func lowered() throws {
        let samples = try Samples()
        let before = try CoupleDocument(parsing: try #require(samples.documents[.couple]))
        let lowered = Data(#"{"encryptionVersion":0}"#.utf8)
        #expect(
            DocumentHandler().put(lowered, as: .couple, over: before)
                == .refused(["encryptionVersion.notLowered"]))
        // A first write, too, since the handler requires encryption; without that, `{}` is a couple of today's apps.
        for text in [#"{"encryptionVersion":0}"#, #"{"encryptionVersion":1}"#, "{}"] {
            let refused = DocumentHandler().put(Data(text.utf8), as: .couple)
            #expect(refused != .stored && refused != .notADocument)
        }
        #expect(try DocumentKind.couple.brokenRules(in: Data("{}".utf8)).isEmpty)
        let broken = try DocumentKind.couple.brokenRules(in: lowered, after: before)
        let body = try JSONEncoder().encode(broken)
        let parts = try #require(try JSONSerialization.jsonObject(with: body) as? [[String: String]])
        #expect(parts.map { $0["rule"] } == ["encryptionVersion.notLowered"])
        #expect(Set(parts[0].keys) == ["rule", "member", "requirement"])
    }

    @Test("fields are sealed and opened from a hundred tasks with one key") func fields() async throws {
        let couple = try CoupleID(parsing: "couple_1")
        let key = FieldKey(try CoupleKey(Keyset(.aes256GCM)), of: couple, origins: nil)
        let opened = try await withThrowingTaskGroup(of: (Data, Data).self) { group in
            for index in 0..<Self.taskCount {
                group.addTask {
                    let plaintext = Data("message \(index)".utf8)
                    return (plaintext, Data(try key.open(key.seal(plaintext)).plaintext))
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(opened.count == Self.taskCount && opened.allSatisfy { $0 == $1 })
        #expect(Set(opened.map(\.0)).count == Self.taskCount)
    }

    @Test("what an app stores itself has one canonical form") func canonical() throws {
        let stored = try CanonicalJSON(of: Data(#"{ "b" : 1.0, "a" : "\u00e9" }"#.utf8))
        #expect(String(decoding: stored.bytes, as: UTF8.self) == #"{"a":"é","b":1}"#)
        #expect(throws: CanonicalJSON.FormatError.self) {
            try CanonicalJSON(of: Data(#"{"a":1,"a":2}"#.utf8))
        }
    }
}

/// One right document of each kind.
struct Samples: Sendable {
    var documents: [DocumentKind: Data] = [:]

    init() throws {
        let folder = try TemporaryFolder()
        let (alice, bob) = (try Phone("alice", in: folder), try Phone("bob", in: folder))
        let (couple, question) = (try CoupleID(parsing: "couple_1"), try QuestionID(parsing: "q_1"))
        let draft = try alice.vault.draftCouple(couple)
        try alice.vault.store(draft)
        documents[.couple] = Data(draft.couple.document.bytes)
        documents[.device] = Data(try DeviceDocument(alice.publicKey, platform: "ios").bytes)
        let place = try AnswerPlace(parsing: "thread:t_1")
        let answer = try alice.vault.seal(
            answer: Data(#"{"a":1}"#.utf8), to: question, at: place, of: couple)
        documents[.answer] = Data(try answer.document.bytes)
        let context = try AnswerContext(couple: couple, question: question, author: alice.user)
        let sealed = SealedAnswer(
            try AnswerPayload(
                hardened: Data(#"{"a":1}"#.utf8), of: context, at: place, key: draft.couple.key), of: context)
        documents[.releaseKey] = Data(
            ReleaseKeyDocument(
                try sealed.release(of: context, to: bob.user, key: bob.publicKey), from: alice.user,
                to: bob.user
            ).bytes)
        let route = RekeyRoute(couple: couple, from: alice.user, to: bob.user)
        let hold = CoupleHold(epoch: 1, key: try draft.couple.key.rotated())
        let rekey = try Rekey(CoupleGrant(hold, phrase: .random()))
            .sealed(on: route, with: alice.vault.device.identity, to: bob.publicKey)
        documents[.rekey] = Data(RekeyDocument(rekey, on: route, epoch: 1).bytes)
        if let invite = draft.invite { documents[.invite] = Data(InsecureCopy.bytes(invite)) }
        let parties = try [alice, bob].map {
            PairingParty(
                user: $0.user, publicKey: try $0.publicKey, x25519PublicKey: X25519PrivateKey().publicKey)
        }
        let code = PairingCode.random()
        let open = OpenInvite(to: couple, from: parties[0], code: code)
        documents[.pairOffer] = Data(open.offer.bytes)
        let answered = try AnsweredInvite(answering: open.offer, with: code, as: parties[1], holding: hold)
        documents[.pairReply] = Data(answered.reply.bytes)
        let admitted = try open.judge(answered.reply)
        let united = try hold.united(with: admitted.hold, isAlone: true)
        let grant = admitted.grant(CoupleGrant(united, phrase: .random()))
        documents[.pairGrant] = Data(grant.bytes)
    }
}
