import CloserKeys
import CloserPrimitives
import CloserTink
import CloserVault
import Foundation
import Testing

// doc: YourServerChecksDocuments
/// What a server does with what its users send: it has no key, and stores a document only if it breaks no rule.
nonisolated struct DocumentHandler: Sendable {
    /// The status of the answer, and its body in JSON.
    struct Response: Equatable {
        let status: Int
        var body = Data()
    }

    /// `kind` is the last part of the path, such as `release-key`; `stored` is what is there now.
    func put(_ body: Data, kind name: String, over stored: CoupleDocument? = nil) throws -> Response {
        guard let kind = DocumentKind(rawValue: name) else { return Response(status: 404) }
        do {
            // A new couple is encrypted from its first write; one that is there is never lowered.
            let broken = try kind.brokenRules(
                in: body, after: stored, requiring: stored == nil ? .strict : .plaintext)
            guard !broken.isEmpty else { return Response(status: 204) }
            return Response(status: 422, body: try JSONEncoder().encode(broken))
        } catch DocumentCheckError.tooLarge {
            return Response(status: 413)
        } catch let error as DocumentCheckError {
            return Response(status: 400, body: try JSONEncoder().encode(["message": error.description]))
        }
    }
}
// doc: end

// doc: YourServerChecksDocuments
nonisolated extension DocumentHandler {
    /// The rules that a write breaks: what is stored at the path now, who asks, and the couple that it belongs to decide, too.
    func brokenRules(
        in body: Data, of kind: DocumentKind, at path: String, by writer: DocumentWrite.Writer,
        over stored: Data? = nil, in couple: CoupleDocument? = nil
    ) throws -> [BrokenRule] {
        // The same bytes once more, as after a lost answer, change nothing.
        guard stored != body else { return [] }
        let write = try DocumentWrite(
            of: kind, at: DocumentPath(parsing: path, of: kind), by: writer, replacing: stored, in: couple)
        return try write.brokenRules(in: body, requiring: stored == nil ? .strict : .plaintext)
    }
}
// doc: end

@Suite("A server with many tasks")
struct ServerTests {
    private static let taskCount = 100

    @Test("documents of every kind are checked without a key, a hundred at once") func checks() async throws {
        let samples = try Samples()
        let handler = DocumentHandler()
        let responses = try await withThrowingTaskGroup(of: DocumentHandler.Response.self) { group in
            for index in 0..<Self.taskCount {
                let kind = DocumentKind.allCases[index % DocumentKind.allCases.count]
                group.addTask { try handler.put(samples.documents[kind] ?? Data(), kind: kind.rawValue) }
            }
            var responses: [DocumentHandler.Response] = []
            for try await response in group { responses.append(response) }
            return responses
        }
        #expect(responses.count == Self.taskCount && responses.allSatisfy { $0 == .init(status: 204) })
    }

    /// The status, and the rules that the body names.
    private func answer(_ text: String, _ kind: String, over stored: CoupleDocument? = nil) throws -> (
        Int, [String]
    ) {
        let response = try DocumentHandler().put(Data(text.utf8), kind: kind, over: stored)
        guard response.status == 422 else { return (response.status, []) }
        let body = try JSONSerialization.jsonObject(with: response.body)
        let broken = try #require(body as? [[String: String]])
        #expect(broken.allSatisfy { Set($0.keys) == ["rule", "member", "requirement"] })
        return (422, broken.compactMap { $0["rule"] })
    }

    @Test("a broken document is refused by the names of its rules") func broken() throws {
        #expect(
            try answer(#"{"publicKey":"pub:v1:AAAA","platform":""}"#, "device")
                == (422, ["publicKey.publicKey", "platform.platform"]))
        #expect(try answer("[]", "couple").0 == 400)
        #expect(try answer(#"{"a":1,"a":2}"#, "couple").0 == 400)
        #expect(try answer("{}", "nonsense").0 == 404)
        #expect(
            try answer(String(repeating: " ", count: DocumentKind.maximumByteCount + 1), "device").0 == 413)
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
        #expect(
            try answer(#"{"encryptionVersion":0}"#, "couple", over: before) == (
                422, ["encryptionVersion.notLowered"]
            ))
        let whole = String(decoding: before.bytes, as: UTF8.self)
        let kept = whole.replacingOccurrences(of: #""encryptionVersion":2"#, with: #""encryptionVersion":0"#)
        #expect(try answer(kept, "couple", over: before) == (422, ["encryptionVersion.versionForWrap"]))
        for text in ["{}", kept] {
            let rules = try DocumentKind.couple.brokenRules(in: Data(text.utf8), after: before)
            #expect(rules.count == 1 && rules.allSatisfy(\.lowersTheVersion))
        }
    }

    @Test("a new couple is encrypted from its first write, and one that migrates is not refused")
    func required() throws {
        let samples = try Samples()
        let document = try #require(samples.documents[.couple])
        let migrating = String(decoding: document, as: UTF8.self)
            .replacingOccurrences(of: #""encryptionVersion":2"#, with: #""encryptionVersion":1"#)
        for text in ["{}", migrating] {
            #expect(try answer(text, "couple") == (422, ["encryptionVersion.required"]))
        }
        let stored = try CoupleDocument(parsing: Data(migrating.utf8))
        #expect(try answer(migrating, "couple", over: stored).0 == 204)
        #expect(try DocumentKind.couple.brokenRules(in: Data("{}".utf8)).isEmpty)
    }

    @Test("a write is judged by its path, its writer and what is stored; the same bytes are taken again")
    func writes() throws {
        let (samples, handler) = (try Samples(), DocumentHandler())
        let (alice, bob) = (try UserID(parsing: "alice"), try UserID(parsing: "bob"))
        var couple = String(decoding: try #require(samples.documents[.couple]), as: UTF8.self)
        couple = #"{"userIds":["alice","bob"],"# + couple.dropFirst()
        func broken(
            _ body: Data?, _ kind: DocumentKind, _ path: String, by writer: DocumentWrite.Writer,
            over stored: Data? = nil
        ) throws -> [String] {
            let stored = try handler.brokenRules(
                in: try #require(body), of: kind, at: path, by: writer, over: stored,
                in: kind == .couple ? nil : CoupleDocument(parsing: couple.utf8))
            return stored.map(\.id)
        }
        #expect(try broken(Data(couple.utf8), .couple, "couples/couple_1", by: .server) == [])
        #expect(try broken(Data(couple.utf8), .couple, "couples/couple_1", by: .user(alice)) != [])
        let answer = samples.documents[.answer]
        let path = "couples/couple_1/threads/t_1/messages/alice"
        #expect(try broken(answer, .answer, path, by: .user(alice)) == [])
        #expect(try broken(answer, .answer, path, by: .user(bob)) != [])
        #expect(throws: DocumentPath.FormatError.self) { try broken(answer, .answer, "couples", by: .server) }
        let release = samples.documents[.releaseKey]
        let box = "couples/couple_1/daily_question/2026-11-29/answers/alice/releaseKeys/bob"
        #expect(try broken(release, .releaseKey, box, by: .user(alice)) == [])
        #expect(try broken(release, .releaseKey, box, by: .user(alice), over: release) == [])
        let other = Data(
            String(decoding: try #require(release), as: UTF8.self).replacing(
                "keybox:v1:A", with: "keybox:v1:B"
            ).utf8)
        #expect(try broken(other, .releaseKey, box, by: .user(alice), over: release) != [])
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
            var pairs: [(Data, Data)] = []
            for try await pair in group { pairs.append(pair) }
            return pairs
        }
        #expect(opened.count == Self.taskCount && opened.allSatisfy { $0 == $1 })
        #expect(Set(opened.map(\.0)).count == Self.taskCount)
    }
}

/// One right document of each kind.
struct Samples: Sendable {
    var documents: [DocumentKind: Data] = [:]

    init() throws {
        let folder = try TemporaryFolder()
        let (alice, bob) = (try Phone("alice", in: folder), try Phone("bob", in: folder))
        let (couple, question) = (try CoupleID(parsing: "couple_1"), try QuestionID(parsing: "q_1"))
        try pair(alice, bob, couple)
        documents[.couple] = Data(try alice.vault.couple(couple).document.bytes)
        documents[.device] = Data(try DeviceDocument(alice.publicKey, platform: "ios").bytes)
        let place = try AnswerPlace(parsing: "thread:t_1")
        let answers = try [alice, bob].map {
            try $0.vault.seal(answer: Data(#"{"a":1}"#.utf8), to: question, at: place, of: couple).document
        }
        documents[.answer] = Data(answers[0].bytes)
        let released = try alice.vault.release(
            AnswerName(couple: couple, question: question, place: place),
            to: PartnerAnswer(of: bob.user, answers[1]), key: bob.publicKey)
        documents[.releaseKey] = Data(released.document.bytes)
        let rekey = try alice.vault.draftRekey(of: couple, partner: bob.user)
        documents[.rekey] = Data(rekey.document.bytes)
        let other = try Phone("carol", in: folder).vault.draftCouple(of: couple, beginningAt: .strict)
        if let invite = other.invite { documents[.invite] = Data(InsecureCopy.bytes(invite)) }
        let key = try alice.vault.couple(couple).fieldKey()
        let field = try key.seal(Data("yes".utf8)).description
        documents[.gameSlot] = Data(#"{"answers":{"alice":"\#(field)"}}"#.utf8)
        documents[.legacyAnswer] = Data(#"{"userId":"alice","questionId":"q_1","text":"\#(field)"}"#.utf8)
        let chat = try ChatKey(fond: X25519PrivateKey(), theirs: X25519PrivateKey().publicKey)
        documents[.fitLinkMessage] = Data(try chat.seal(message: Data("run?".utf8)).bytes)
        let chatKey = X25519PrivateKey().publicKey
        documents[.fitLinkUser] = Data(#"{"public_key":"\#(chatKey)"}"#.utf8)
        let status = try chat.seal(field: Data("here".utf8))
        documents[.fondUser] = Data(#"{"publicKey":"\#(chatKey)","encryptedStatus":"\#(status)"}"#.utf8)
        try seal(from: alice.user, to: bob.user)
    }

    /// A bound message and a chat key, under keys that live for this test.
    private mutating func seal(from alice: UserID, to bob: UserID) throws {
        let (hers, his, born) = (X25519PrivateKey(), X25519PrivateKey(), X25519PrivateKey())
        let chat = try ChatID(alice, bob)
        let channel = try ChatChannel(
            chat: chat, from: alice, to: bob, as: .sender, ours: hers, .init(born, index: 1),
            theirs: his.publicKey,
            .init(X25519PrivateKey().publicKey, index: 2))
        let message = try ChatMessage(.text, number: 1, sentAt: 1, body: "run?")
        let token = try channel.seal(message, id: MessageID(parsing: "m_1"))
        documents[.chatMessage] = Data(#"{"encrypted_content":"\#(token)","sender_id":"\#(alice)"}"#.utf8)
        documents[.chatKey] = Data(
            try ChatKeyDocument(
                of: .init(born.publicKey, index: 1), chat: chat, from: alice, to: bob, with: hers,
                for: his.publicKey
            ).bytes)
    }

    /// The three documents of a pairing: after it both sides have the key, and each other's.
    private mutating func pair(_ alice: Phone, _ bob: Phone, _ couple: CoupleID) throws {
        let draft = try alice.vault.draftOffer(of: couple, beginningAt: .strict)
        try alice.vault.store(draft)
        documents[.pairOffer] = Data(draft.offer.bytes)
        let reply = try bob.vault.accept(
            draft.offer, code: draft.code, of: couple)
        documents[.pairReply] = Data(reply.bytes)
        let grant = try alice.vault.store(alice.vault.draftConfirmation(for: reply, of: couple))
        documents[.pairGrant] = Data(grant.bytes)
        try bob.vault.store(bob.vault.openGrant(grant, of: couple))
    }
}
