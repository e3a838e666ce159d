// doc: JoinAnAndroidCouple
import CloserKeys
import CloserPrimitives
import CloserTink
import CloserVault
import Foundation
// doc: end
import Testing

// doc: JoinAnAndroidCouple
/// A couple as the app holds it: this device's vault, and the names that the server uses.
nonisolated struct OurCouple: Sendable {
    let vault: Vault
    let id: CoupleID
    let partner: UserID

    init(_ id: String, with partner: String, in vault: Vault) throws {
        self.vault = vault
        self.id = try CoupleID(parsing: id)
        self.partner = try UserID(parsing: partner)
    }
}
// doc: end

// doc: JoinAnAndroidCouple
nonisolated extension OurCouple {
    /// Takes the invite that the server hands over, and the code that the partner read out.
    func join(invite: Data, code: String) throws {
        let document = try InviteDocument(parsing: SecretBytes(copying: invite))
        let typed = try InviteCode(typed: SecretBytes(utf8: code))
        try vault.join(id, with: document, code: typed, beginningAt: .strict)
    }
}
// doc: end

// doc: JoinAnAndroidCouple
nonisolated extension OurCouple {
    /// Joins, and opens a field of the couple to prove it. What was joined under a wrong name is forgotten again.
    func join(invite: Data, code: String, proof token: String) throws -> String {
        let isNew = try !vault.coupleIDs.contains(id)
        try join(invite: invite, code: code)
        do { return try open(token) } catch {
            if isNew { try vault.forget(id) }
            throw error
        }
    }
}
// doc: end

// doc: JoinAnAndroidCouple
nonisolated extension OurCouple {
    /// Takes the couple's document that the server stores, and the recovery phrase.
    func recover(document: Data, phrase: String) throws {
        let stored = try CoupleDocument(parsing: document)
        let typed = try RecoveryPhrase(typed: SecretBytes(utf8: phrase))
        try vault.recover(id, from: stored, phrase: typed, beginningAt: .strict)
    }
}
// doc: end

// doc: FieldsOfAnAndroidCouple
nonisolated extension OurCouple {
    /// Opens a field of the couple, such as `enc:v1:AQoLDA0AAQID…`.
    func open(_ token: String) throws -> String {
        let key = try vault.couple(id).fieldKey()
        let opened = try key.open(FieldToken(parsing: token))
        return String(decoding: opened.plaintext, as: UTF8.self)
    }

    /// Seals a text as a field. The partner's app opens it with Tink.
    func seal(_ text: String) throws -> String {
        let key = try vault.couple(id).fieldKey()
        return try key.seal(Data(text.utf8)).description
    }
}
// doc: end

// doc: AnswersOfAnAndroidCouple
nonisolated extension OurCouple {
    /// What the server stores of this device: its public key.
    func deviceDocument() throws -> Data {
        Data(try DeviceDocument(vault.device.publicKey, platform: "ios").bytes)
    }

    /// Seals our answer, which is one JSON object, and gives the document for the server.
    func answer(_ json: Data, to question: QuestionID, at place: AnswerPlace) throws -> Data {
        let sealed = try vault.seal(answer: json, to: question, at: place, of: id)
        return Data(try sealed.document.bytes)
    }

    /// Releases our answer to the partner, and gives the document for the server.
    func release(
        _ question: QuestionID, at place: AnswerPlace, theirAnswer: Data, theirDevice: Data
    ) throws -> Data {
        let name = AnswerName(couple: id, question: question, place: place)
        let theirs = PartnerAnswer(of: partner, try AnswerDocument(parsing: theirAnswer))
        let key = try DeviceDocument(parsing: theirDevice).publicKey
        return Data(try vault.release(name, to: theirs, key: key).document.bytes)
    }

    /// Opens the partner's answer with what they released.
    func reveal(
        _ question: QuestionID, at place: AnswerPlace, theirAnswer: Data, theirRelease: Data
    ) throws -> AnswerRevelation {
        let name = AnswerName(couple: id, question: question, place: place)
        let theirs = PartnerAnswer(of: partner, try AnswerDocument(parsing: theirAnswer))
        let released = try ReleaseKeyDocument(parsing: theirRelease)
        return try vault.reveal(name, of: theirs, with: released, allowingUnauthenticated: true)
    }
}
// doc: end

// doc: JoinAnAndroidCouple
/// What to tell the person who typed a code or a phrase.
nonisolated func advice(for error: any Error) -> String {
    switch error {
    case is InviteCode.FormatError: "A code has six letters and digits."
    case is RecoveryPhrase.FormatError: "Please type your recovery phrase."
    case VaultError.unwrap(.wrongCode):
        "This code does not open the invite. Ask your partner to read it to you again."
    case VaultError.unwrap(.wrongPhrase):
        "This does not open your couple's key. If you typed a phrase, check each word."
    case VaultError.migration(.lowered):
        "Something is wrong with what the server sent. Nothing was changed. Please contact us."
    case VaultError.couple(.lacksKey):
        "This does not have the key that this phone has. Ask your partner for a new invite."
    case VaultError.couple(.notEncrypted):
        "Your couple has no key on the server. Ask your partner to turn on encryption in their app."
    case is DocumentError: "The server sent something else than expected. Please contact us."
    case is Identifier.FormatError: "Your couple has a name that this app cannot use. Please contact us."
    case FieldError.opening(.authenticationFailed), FieldError.opening(.noMatchingKey):
        "This invite does not fit your couple. Ask your partner for a new one."
    case VaultError.outOfMemory, VaultError.busy:
        "Your phone is busy. Please try again."
    default: "Please try again, or contact us."
    }
}
// doc: end

@Suite("The article: Join an Android couple")
struct JoinAnAndroidCoupleTests {
    private let ours: OurCouple
    private let android: AndroidPartner
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        android = try AndroidPartner(in: folder)
        ours = try OurCouple("couple_1", with: "alice", in: Phone("bob", in: folder).vault)
    }

    @Test("an invite by Tink is joined with its code, as it was said, and a field by Tink is read")
    func join() throws {
        try ours.join(invite: android.invite, code: android.code.lowercased())
        #expect(try ours.vault.pairingState(of: ours.id) == .serverKnown)
        #expect(try ours.open(android.field) == "hello ❤")
        let token = try ours.seal("good evening")
        #expect(try android.couple.open(token) == "good evening")
    }

    @Test("from the code to the partner's answer, with the vault of another article") func together()
        async throws
    {
        let room = try Home(store: SecretStore(), path: folder.path("home.vault")).create(for: "bob")
        let (invite, code, token) = (android.invite, android.code, android.field)

        // doc: JoinAnAndroidCouple
        let welcome = try await room.use { vault in
            let ours = try OurCouple("couple_1", with: "alice", in: vault)
            return try ours.join(invite: invite, code: code, proof: token)
        }
        // doc: end

        #expect(welcome == "hello ❤")
        let question = try QuestionID(parsing: "q_42")
        let place = try AnswerPlace(parsing: "daily:2026-11-20")
        let (device, answer) = try await room.use { vault in
            let ours = try OurCouple("couple_1", with: "alice", in: vault)
            let json = Data(#"{"answer":"yes"}"#.utf8)
            return (try ours.deviceDocument(), try ours.answer(json, to: question, at: place))
        }
        let theirAnswer = try android.answer(#"{"answer":"with you, always"}"#, to: question, at: place)
        let theirRelease = try android.couple.release(
            question, at: place, theirAnswer: answer, theirDevice: device)
        let theirDevice = try android.couple.deviceDocument()
        var uploaded: [Data] = []
        let upload = { (document: Data) throws in uploaded.append(document) }

        // doc: AnswersOfAnAndroidCouple
        // First ours: nothing checks that we gave it.
        let ourRelease = try await room.use { vault in
            let ours = try OurCouple("couple_1", with: "alice", in: vault)
            return try ours.release(question, at: place, theirAnswer: theirAnswer, theirDevice: theirDevice)
        }
        try upload(ourRelease)
        let theirObject = try await room.use { vault in
            let ours = try OurCouple("couple_1", with: "alice", in: vault)
            let revelation = try ours.reveal(
                question, at: place, theirAnswer: theirAnswer, theirRelease: theirRelease)
            return Data(revelation.answer.answer)
        }
        // doc: end

        #expect(theirObject == Data(#"{"answer":"with you, always"}"#.utf8))
        let seen = try android.couple.reveal(
            question, at: place, theirAnswer: answer, theirRelease: uploaded[0])
        #expect(Data(seen.answer.answer) == Data(#"{"answer":"yes"}"#.utf8))
    }

    @Test("values to paste, by Tink, are joined and opened without a phone") func pasted() async throws {
        let room = try Home(store: SecretStore(), path: folder.path("home.vault")).create(for: "bob")

        // doc: JoinAnAndroidCouple
        // An invite that Tink made for couple_1, the code to it, and a field of this couple.
        let invite = Data(
            #"""
            {
              "wrappedCoupleKey": "\#
            EBESExQVFhcYGRob3AM+KCEZkKnqIEXXAdbsiFVRSr+zY+Z16nP60+w0bpqGMV09ay71gKit3FlHENu1nV+JRIIU\#
            huCol8X5sSd2In7/WgC7Ojt8IzCD/wjO+jlj0bYGvpCyLKhn4Q5tr3wD232bXd6wkEsQaIxH65mNc8FjqbbuL6Re\#
            clg=",
              "kdfSalt": "AAECAwQFBgcICQoLDA0ODw==",
              "kdfParams": "{\"alg\":\"argon2id\",\"m\":46080,\"p\":1,\"t\":3,\"v\":19}",
              "recoveryPhrase": "\#
            ATAxMjM0NTY3ODk6Ozw9Pj9AQUJDREVGR0hJSktg/ZeBvWdrVTXubotvgNa++BAShwdFwzmoNAsWu/I0t0RHZ+sA\#
            EUtin18qoTZVNOoyE2aS/rcfMQY0iEYFF7W9gCsBoGgp+T3aFR7dEx0="
            }
            """#.utf8)
        let code = "7KQ2MX"
        let token = "enc:v1:AQoLDA0AAQIDBAUGBwgJCgsvZ7p3qsUghimmYYGm9yaVWz69KeQ14ADf"
        // doc: end

        // doc: JoinAnAndroidCouple
        let hello = try await room.use { vault in
            let ours = try OurCouple("couple_1", with: "alice", in: vault)
            return try ours.join(invite: invite, code: code, proof: token)
        }
        // doc: end

        #expect(hello == "hello ❤")
    }

    @Test("a couple under a wrong name is forgotten again, and one that was there before is not")
    func wrongName() throws {
        let wrong = try OurCouple("couple_2", with: "alice", in: ours.vault)
        expect("does not fit your couple") {
            _ = try wrong.join(invite: android.invite, code: android.code, proof: android.field)
        }
        #expect(try ours.vault.coupleIDs.isEmpty)

        for _ in 1...2 {
            let hello = try ours.join(invite: android.invite, code: android.code, proof: android.field)
            #expect(hello == "hello ❤")
        }
        let foreign = try CoupleKey(Keyset(.aes256GCM)).seal(field: Data("x".utf8), couple: ours.id)
        expect("does not fit your couple") {
            _ = try ours.join(invite: android.invite, code: android.code, proof: foreign.description)
        }
        #expect(try ours.vault.coupleIDs == [ours.id])
    }

    @Test("the phrase and the stored document do the same")
    func recover() throws {
        try ours.recover(document: android.document, phrase: android.phrase.uppercased())
        #expect(try ours.open(android.field) == "hello ❤")
        #expect(
            try ours.vault.couple(ours.id).fingerprint
                == android.couple.vault.couple(ours.id).fingerprint)
    }

    @Test("both answers are revealed, the partner's without proof, as today's apps write it")
    func reveal() throws {
        try ours.join(invite: android.invite, code: android.code)
        let question = try QuestionID(parsing: "q_42")
        let place = try AnswerPlace(parsing: "daily:2026-11-20")
        let mine = try ours.answer(Data(#"{"answer":"yes"}"#.utf8), to: question, at: place)
        let theirs = try android.answer(#"{"answer":"with you, always"}"#, to: question, at: place)

        let theirRelease = try android.couple.release(
            question, at: place, theirAnswer: mine, theirDevice: ours.deviceDocument())
        let release = try ours.release(
            question, at: place, theirAnswer: theirs, theirDevice: android.couple.deviceDocument())
        for _ in 1...2 {
            let revelation = try ours.reveal(
                question, at: place, theirAnswer: theirs, theirRelease: theirRelease)
            #expect(
                String(decoding: revelation.answer.answer, as: UTF8.self)
                    == #"{"answer":"with you, always"}"#)
            #expect(revelation.authenticity == .unauthenticated)
        }
        let seen = try android.couple.reveal(question, at: place, theirAnswer: mine, theirRelease: release)
        #expect(String(decoding: seen.answer.answer, as: UTF8.self) == #"{"answer":"yes"}"#)
        #expect(seen.authenticity == .serverForgeable)
    }

    @Test("on a new phone the key opens fields, and an answer of the old phone is unknown")
    func newPhone() throws {
        try ours.join(invite: android.invite, code: android.code)
        let question = try QuestionID(parsing: "q_42")
        let place = try AnswerPlace(parsing: "daily:2026-11-20")
        let mine = try ours.answer(Data(#"{"answer":"yes"}"#.utf8), to: question, at: place)
        let theirs = try android.answer(#"{"answer":"with you, always"}"#, to: question, at: place)
        let theirRelease = try android.couple.release(
            question, at: place, theirAnswer: mine, theirDevice: ours.deviceDocument())

        let vault = try Phone("bob", in: folder, model: "new phone").vault
        let new = try OurCouple("couple_1", with: "alice", in: vault)
        try new.recover(document: android.document, phrase: android.phrase)
        let name = AnswerName(couple: new.id, question: question, place: place)
        #expect(try vault.answerState(of: name) == .unanswered)
        #expect(throws: VaultError.answer(.notSealed)) {
            try new.reveal(question, at: place, theirAnswer: theirs, theirRelease: theirRelease)
        }
        let second = try new.answer(Data(#"{"answer":"no"}"#.utf8), to: question, at: place)
        #expect(throws: VaultError.keybox(.noMatchingKey)) {
            try new.reveal(question, at: place, theirAnswer: theirs, theirRelease: theirRelease)
        }
        #expect(throws: VaultError.reveal(.pinMismatch)) {
            try android.couple.release(
                question, at: place, theirAnswer: second, theirDevice: ours.deviceDocument())
        }
    }

    @Test("each slip has its own words, and changes nothing")
    func slips() throws {
        expect("six letters") { try ours.join(invite: android.invite, code: "7KQ 2M") }
        expect("does not open the invite") { try ours.join(invite: android.invite, code: "AAAAAA") }
        expect("type your recovery phrase") { try ours.recover(document: android.document, phrase: " ") }
        expect("check each word") { try ours.recover(document: android.document, phrase: "alpha bravo") }
        #expect(throws: VaultError.couple(.missing)) { try ours.vault.couple(ours.id) }

        try ours.join(invite: android.invite, code: android.code)
        let other = try Phone("carol", in: folder).vault.draftCouple(of: ours.id, beginningAt: .strict)
        let words = InsecureCopy.string(other.phrase.text)
        expect("does not have the key") {
            try ours.recover(document: Data(other.couple.document.bytes), phrase: words)
        }
        expect("Something is wrong") {
            try ours.recover(document: Data(#"{"encryptionVersion":0}"#.utf8), phrase: words)
        }
        expect("something else than expected") { try ours.join(invite: Data("{}".utf8), code: "7KQ2MX") }
        expect("a name that this app cannot use") {
            _ = try OurCouple("a|b", with: "alice", in: ours.vault)
        }
        let elsewhere = try OurCouple("couple_2", with: "alice", in: ours.vault)
        expect("turn on encryption") {
            try elsewhere.recover(document: Data(#"{"encryptionVersion":0}"#.utf8), phrase: words)
        }
        #expect(advice(for: CancellationError()) == "Please try again, or contact us.")
    }

    private func expect(_ words: String, _ body: () throws -> Void) {
        do {
            try body()
            Issue.record("nothing was thrown")
        } catch { #expect(advice(for: error).contains(words), "\(error)") }
    }
}
