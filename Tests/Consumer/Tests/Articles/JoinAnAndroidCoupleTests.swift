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
struct OurCouple: Sendable {
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
extension OurCouple {
    /// Takes the invite that the server hands over, and the code that the partner read out.
    func join(invite: Data, code: String) throws {
        let document = try InviteDocument(parsing: SecretBytes(copying: invite.span))
        let typed = try InviteCode(typed: SecretBytes(copying: Data(code.utf8).span))
        try vault.join(id, with: document, code: typed)
    }
}
// doc: end

// doc: JoinAnAndroidCouple
extension OurCouple {
    /// Takes the couple's document that the server stores, and the recovery phrase.
    func recover(document: Data, phrase: String) throws {
        let stored = try CoupleDocument(parsing: document)
        let typed = try RecoveryPhrase(entered: SecretBytes(copying: Data(phrase.utf8).span))
        try vault.recover(id, from: stored, phrase: typed)
    }
}
// doc: end

// doc: JoinAnAndroidCouple
extension OurCouple {
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

// doc: JoinAnAndroidCouple
extension OurCouple {
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
func advice(for error: any Error) -> String {
    switch error {
    case is InviteCode.FormatError: "A code has six letters and digits."
    case is RecoveryPhrase.FormatError: "Please type your recovery phrase."
    case VaultError.couple(.invite(.authenticationFailed)):
        "This code does not open the invite. Ask your partner to read it to you again."
    case VaultError.couple(.wrap(.authenticationFailed)):
        "This does not open your couple's key. If you typed a phrase, check each word."
    case VaultError.couple(.lowered):
        "Something is wrong with what the server sent. Nothing was changed. Please contact us."
    case VaultError.couple(.lacksKey):
        "This does not have the key that this phone has. Ask your partner for a new invite."
    case VaultError.couple(.invite(.outOfMemory)), VaultError.couple(.wrap(.outOfMemory)),
        VaultError.busy:
        "Your phone is busy. Please try again."
    default: "This did not work: \(error)."
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
        #expect(try ours.vault.state(of: ours.id) == .serverKnown)
        #expect(try ours.open(android.field) == "hello ❤")
        let token = try ours.seal("good evening")
        #expect(try android.couple.open(token) == "good evening")
    }

    @Test("from the code to the partner's answer, with the vault of another article") func together()
        async throws
    {
        let home = Home(SecretStore(), at: folder.path("home.vault"))
        try await home.create(for: "bob")
        let (invite, code, token) = (android.invite, android.code, android.field)

        // doc: JoinAnAndroidCouple
        let welcome = try await home.use { vault in
            let ours = try OurCouple("couple_1", with: "alice", in: vault)
            try ours.join(invite: invite, code: code)
            return try ours.open(token)
        }
        // doc: end

        #expect(welcome == "hello ❤")
        let question = try QuestionID(parsing: "q_42")
        let place = try AnswerPlace(parsing: "daily:2026-11-20")
        let (device, answer) = try await home.use { vault in
            let ours = try OurCouple("couple_1", with: "alice", in: vault)
            let json = Data(#"{"answer":"yes"}"#.utf8)
            return (try ours.deviceDocument(), try ours.answer(json, to: question, at: place))
        }
        let theirAnswer = try android.answer(#"{"answer":"with you, always"}"#, to: question, at: place)
        let theirRelease = try android.couple.release(
            question, at: place, theirAnswer: answer, theirDevice: device)

        // doc: JoinAnAndroidCouple
        let theirObject = try await home.use { vault in
            let ours = try OurCouple("couple_1", with: "alice", in: vault)
            let revelation = try ours.reveal(
                question, at: place, theirAnswer: theirAnswer, theirRelease: theirRelease)
            return Data(revelation.answer.answer)
        }
        // doc: end

        #expect(theirObject == Data(#"{"answer":"with you, always"}"#.utf8))
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

    @Test("each slip has its own words, and changes nothing")
    func slips() throws {
        expect("six letters") { try ours.join(invite: android.invite, code: "7KQ 2M") }
        expect("does not open the invite") { try ours.join(invite: android.invite, code: "AAAAAA") }
        expect("type your recovery phrase") { try ours.recover(document: android.document, phrase: " ") }
        expect("check each word") { try ours.recover(document: android.document, phrase: "alpha bravo") }
        #expect(throws: VaultError.couple(.unknown)) { try ours.vault.couple(ours.id) }

        try ours.join(invite: android.invite, code: android.code)
        let other = try Phone("carol", in: folder).vault.draftCouple(ours.id)
        let words = String(decoding: Data(copying: other.phrase.text), as: UTF8.self)
        expect("does not have the key") {
            try ours.recover(document: Data(other.couple.document.bytes), phrase: words)
        }
        expect("Something is wrong") {
            try ours.recover(document: Data(#"{"encryptionVersion":0}"#.utf8), phrase: words)
        }
    }

    private func expect(_ words: String, _ body: () throws -> Void) {
        do {
            try body()
            Issue.record("nothing was thrown")
        } catch { #expect(advice(for: error).contains(words), "\(error)") }
    }
}
