import CloserKeys
import CloserPrimitives
import CloserTink
import CloserVault
import CloserVectors
import CloserWire
import Foundation
import Testing

private let moment = Timestamp(secondsSince1970: 1_795_788_300)

/// The errors of a type, by the names of their cases as the source has them; a struct has one, without a name.
struct Walk: Sendable, CustomTestStringConvertible {
    let type: String
    let errors: [String: any CloserError]

    init<Failure: CloserError>(
        _ type: Failure.Type, _ errors: [String: Failure]
    ) {
        (self.type, self.errors) = (Self.name(of: type), errors)
    }

    /// Without its module.
    static func name(of type: any Error.Type) -> String {
        String(reflecting: type).split(separator: ".").dropFirst().joined(separator: ".")
    }

    var testDescription: String { type }
}

private let shortage = MemoryShortage(.argon2id, byteCount: 46_080 << 10)

private let fault = JSONFault(.unexpectedEnd, in: [UInt8]().span)

private func id<Noun>() -> Identifier.Of<Noun> {
    guard let id = try? Identifier.Of<Noun>(parsing: "id") else { preconditionFailure("an id is refused") }
    return id
}

extension AnswerPlace {
    fileprivate static var testOnlyDay: AnswerPlace {
        guard let day = try? AnswerPlace(parsing: "daily:2026-11-20") else { preconditionFailure("no day") }
        return day
    }
}

#if canImport(Security)
private let keychainWalks = [
    Walk(
        KeychainError.self,
        ["locked": .locked, "noKey": .noKey, "malformed": .malformed, "refused": .refused(-34018)])
]
#else
private let keychainWalks: [Walk] = []
#endif

let walks = portableWalks + keychainWalks

private let portableWalks: [Walk] = [
    Walk(MemoryShortage.self, ["": shortage]),
    Walk(
        KeysetError.self,
        [
            "malformed": .malformed, "faultyMember": .faultyMember("key[0].keyId", fault: "is missing"),
            "encrypted": .encrypted, "lineBreak": .lineBreak(byteCount: 1), "notCanonical": .notCanonical,
            "tooLarge": .tooLarge(maximumByteCount: 7),
            "tooManyKeys": .tooManyKeys(maximum: 7), "severalKeys": .severalKeys, "empty": .empty,
            "duplicateKeyID": .duplicateKeyID(7), "primaryMissing": .primaryMissing(7),
            "primaryNotEnabled": .primaryNotEnabled(7),
            "unsupportedKeyType": .unsupportedKeyType("AesSivKey", id: 7),
            "unsupportedParameters": .unsupportedParameters,
            "unsupportedVersion": .unsupportedVersion(7), "unknownStatus": .unknownStatus(7),
            "unknownPrefix": .unknownPrefix(7), "wrongMaterialType": .wrongMaterialType(7),
            "wrongKeySize": .wrongKeySize(byteCount: 7), "wrongSegmentSize": .wrongSegmentSize(byteCount: 7),
            "integerOutOfRange": .integerOutOfRange, "notAPoint": .notAPoint,
            "publicKeyMismatch": .publicKeyMismatch, "wrongKind": .wrongKind(expected: .streaming),
            "holdsSecret": .holdsSecret, "noSuchKey": .noSuchKey(7), "notEnabled": .notEnabled(7),
            "destroyed": .destroyed(7), "isPrimary": .isPrimary(7),
        ]),
    Walk(
        OpenError.self,
        [
            "tooShort": .tooShort, "noMatchingKey": .noMatchingKey, "notAStream": .notAStream,
            "authenticationFailed": .authenticationFailed, "contextTooLong": .contextTooLong,
            "keyRefused": .keyRefused,
        ]),
    Walk(
        StreamingAEAD.SealError.self,
        [
            "associatedDataTooLong": .associatedDataTooLong, "tooManySegments": .tooManySegments,
            "keyRefused": .keyRefused,
        ]),
    Walk(
        HybridSealError.self, ["notAPublicKeyset": .notAPublicKeyset, "contextTooLong": .contextTooLong]),
    Walk(
        TokenError.self,
        [
            "notAToken": .notAToken, "unsupportedVersion": .unsupportedVersion,
            "malformed": .malformed(.other),
            "placed": .placed, "unbound": .unbound,
        ]),
    Walk(
        FieldPlace.FormatError.self,
        ["": caught { () throws(FieldPlace.FormatError) in _ = try FieldPlace(parsing: "") }]),
    Walk(
        PublicKeyToken.FormatError.self,
        ["token": .token(.notAToken), "keyset": .keyset(.empty), "severalKeys": .severalKeys]),
    Walk(SafetyNumber.FormatError.self, ["malformed": .malformed, "otherVersion": .otherVersion]),
    Walk(
        X25519KeyError.self,
        ["malformed": .malformed, "lowOrderPublicKey": .lowOrderPublicKey, "infoTooLong": .infoTooLong]),
    Walk(
        ChatChannel.OpenError.self,
        ["authenticationFailed": .authenticationFailed, "format": .format(.malformed)]),
    Walk(
        ChatMessage.FormatError.self,
        ["tooLarge": .tooLarge, "malformed": .malformed, "lacksReplyTo": .lacksReplyTo]),
    Walk(ChatSealError.self, ["plaintextTooLarge": .plaintextTooLarge]),
    Walk(ChatOpenError.self, ["authenticationFailed": .authenticationFailed]),
    Walk(
        ChatFormatError.self,
        ["malformed": .malformed, "misspelled": .misspelled(.other), "notAnObject": .notAnObject(fault)]),
    Walk(
        DocumentError.self,
        ["notAnObject": .notAnObject(fault), "broken": .broken([BrokenRule("kdfSalt", .present)])]),
    Walk(
        DocumentCheckError.self,
        ["notAnObject": .notAnObject(fault), "otherKind": .otherKind(.invite), "tooLarge": .tooLarge]),
    Walk(
        DocumentPath.FormatError.self,
        ["": caught { () throws(DocumentPath.FormatError) in _ = try DocumentPath(parsing: "") }]),
    Walk(
        MigrationError.self,
        [
            "lowered": .lowered(to: .plaintext, from: .strict), "noMembers": .noMembers,
            "notAMember": .notAMember(name("bob")),
        ]),
    Walk(JSONFault.self, ["": fault]), Walk(Misspelling.self, ["": .other]),
    Walk(OpeningKeys.FormatError.self, ["malformed": .malformed]),
    Walk(
        Identifier.FormatError.self,
        ["": caught { () throws(Identifier.FormatError) in _ = try CoupleID(parsing: "") }]),
    Walk(
        AnswerPlace.FormatError.self,
        ["": caught { () throws(AnswerPlace.FormatError) in _ = try AnswerPlace(parsing: "") }]),
    Walk(
        AnswerArchive.FormatError.self,
        [
            "": caught { () throws(AnswerArchive.FormatError) in
                let place = AnswerPlace.testOnlyDay
                _ = try AnswerArchive(parsing: "{}".utf8, of: id(), id(), at: place)
            }
        ]),
    Walk(
        InviteCode.FormatError.self,
        [
            "": caught { () throws(InviteCode.FormatError) in
                _ = try InviteCode(parsing: SecretBytes(copying: [7].span))
            }
        ]),
    Walk(
        RecoveryPhrase.FormatError.self,
        [
            "": caught { () throws(RecoveryPhrase.FormatError) in
                _ = try RecoveryPhrase(typed: SecretBytes(copying: [32].span))
            }
        ]),
    Walk(
        AnswerPayloadError.self,
        [
            "malformed": .malformed(fault), "reservedName": .reservedName, "tooLarge": .tooLarge,
            "tooShort": .tooShort,
        ]),
    Walk(
        RevealError.self,
        [
            "noMatchingKey": .noMatchingKey, "authenticationFailed": .authenticationFailed,
            "commitmentMismatch": .commitmentMismatch, "pinMismatch": .pinMismatch,
            "malformed": .malformed, "macInvalid": .macInvalid, "placeMismatch": .placeMismatch,
        ]),
    Walk(
        UnwrapError.self,
        [
            "malformed": .malformed, "wrongCosts": .wrongCosts,
            "wrongPhrase": .wrongPhrase, "wrongCode": .wrongCode, "keyset": .keyset(.empty),
            "outOfMemory": .outOfMemory(shortage),
        ]),
    Walk(
        RekeyDocumentError.self,
        [
            "keybox": .keybox(.noMatchingKey), "macInvalid": .macInvalid, "malformed": .malformed,
            "phraseRefused": .phraseRefused, "keyset": .keyset(.empty),
        ]),
    Walk(
        FieldError.self,
        [
            "token": .token(.notAToken), "opening": .opening(.tooShort), "plaintext": .plaintext,
            "serverKnown": .serverKnown, "serverForgeable": .serverForgeable, "unbound": .unbound,
            "plaintextTooLarge": .plaintextTooLarge,
        ]),
    Walk(
        AnswerError.self,
        [
            "exists": .exists(isReplaceable: true), "notSealed": .notSealed,
            "severalPlaces": .severalPlaces(2),
            "reservedQuestion": .reservedQuestion, "textNotKept": .textNotKept,
            "partnerIsSelf": .partnerIsSelf, "otherAnswer": .otherAnswer, "ownCommitment": .ownCommitment,
            "releasedToAnother": .releasedToAnother,
            "keyNotKept": .keyNotKept, "otherOwnAnswer": .otherOwnAnswer, "notReleased": .notReleased,
            "archiveReadable": .archiveReadable, "notArchived": .notArchived,
            "partnerKeyChanged": .partnerKeyChanged, "partnerKeyIsOurs": .partnerKeyIsOurs,
            "notVerified": .notVerified, "noKeybox": .noKeybox, "keyboxForAnother": .keyboxForAnother,
            "unauthenticated": .unauthenticated(isFinal: true),
            "serverForgeable": .serverForgeable(isOfFormerDevice: true),
        ]),
    Walk(
        CoupleError.self,
        [
            "missing": .missing, "noChatKey": .noChatKey, "reservedName": .reservedName, "exists": .exists,
            "notEncrypted": .notEncrypted,
            "lacksKey": .lacksKey, "bringsKeys": .bringsKeys, "olderKey": .olderKey,
            "otherPrimary": .otherPrimary,
            "neverInvited": .neverInvited, "phraseNotKept": .phraseNotKept,
            "changedMeanwhile": .changedMeanwhile, "noInvite": .noInvite,
            "strict": .strict, "retiredKey": .retiredKey(7), "keyOfAnother": .keyOfAnother(id()),
        ]),
    Walk(
        RekeyError.self,
        [
            "partnerIsSelf": .partnerIsSelf, "notVerified": .notVerified, "partnerSends": .partnerSends,
            "weSend": .weSend, "forAnother": .forAnother, "fromAnother": .fromAnother,
            "epoch": .epoch(3, expected: 2),
            "epochTooHigh": .epochTooHigh(7),
            "losesKeys": .losesKeys(primary: false), "oldPrimary": .oldPrimary,
            "tooManyKeys": .tooManyKeys, "changedMeanwhile": .changedMeanwhile,
        ]),
    Walk(
        VerificationError.self,
        [
            "partnerIsSelf": .partnerIsSelf, "keyIsOurs": .keyIsOurs, "noKey": .noKey, "mismatch": .mismatch,
            "partnerIs": .partnerIs(id()),
        ]),
    Walk(
        VaultError.self,
        [
            "missing": .missing(path: "/v"), "exists": .exists(path: "/v"),
            "notAVault": .notAVault(path: "/v"),
            "notAnExport": .notAnExport,
            "unsupportedVersion": .unsupportedVersion, "tooLarge": .tooLarge,
            "authenticationFailed": .authenticationFailed, "otherProtection": .otherProtection,
            "keyMalformed": .keyMalformed, "passphraseLength": .passphraseLength,
            "costsRefused": .costsRefused, "outOfMemory": .outOfMemory(shortage), "damaged": .damaged,
            "rolledBack": .rolledBack(path: "/v"), "replaced": .replaced(path: "/v"),
            "busy": .busy(path: "/v"),
            "cannotRead": .cannotRead(path: "/v", reason: "Is a directory"),
            "cannotWrite": .cannotWrite(path: "/v", reason: "Is a directory"),
            "outdated": .outdated(path: "/v"),
            "mayBeWritten": .mayBeWritten(path: "/v", reason: "The request timed out"),
            "formerCredential": .formerCredential, "couple": .couple(.missing),
            "unwrap": .unwrap(.wrongCode), "migration": .migration(.noMembers),
            "rekeyDocument": .rekeyDocument(.macInvalid),
            "answer": .answer(.notSealed), "rekey": .rekey(.weSend), "verification": .verification(.noKey),
            "pairing": .pairing(.noOffer), "refused": .refused(.codeMismatch, failures: 3),
            "payload": .payload(.tooShort), "keybox": .keybox(.noMatchingKey), "reveal": .reveal(.macInvalid),
            "keyset": .keyset(.isPrimary(7)), "chat": .chat(.noKey),
        ]),
    Walk(
        ChatError.self,
        [
            "noKey": .noKey, "keyChanged": .keyChanged, "nameTooLong": .nameTooLong,
            "notReady": .notReady(ours: true), "repeated": .repeated, "expired": .expired(missing: [3...5]),
            "fromFuture": .fromFuture, "olderKey": .olderKey, "keyGone": .keyGone(isOlderCopy: true),
            "preview": .preview, "previewTooShort": .previewTooShort, "macInvalid": .macInvalid,
            "unbound": .unbound, "message": .message(.tooLarge), "opening": .opening(.authenticationFailed),
        ]),
    Walk(
        DeviceLink.Failure.self,
        [
            "passphrase": .passphrase, "malformed": .malformed, "token": .token(.notAToken),
            "authenticationFailed": .authenticationFailed, "vault": .vault(.damaged),
        ]),
    Walk(
        DeviceLink.Code.FormatError.self,
        [
            "": caught { () throws(DeviceLink.Code.FormatError) in
                _ = try DeviceLink.Code(typed: SecretBytes(copying: [7].span))
            }
        ]),
    Walk(
        PairingStepError.self,
        [
            "answerWaiting": .answerWaiting, "offerOpen": .offerOpen, "ownOffer": .ownOffer,
            "otherCouple": .otherCouple, "inviteUsed": .inviteUsed, "inviteClosed": .inviteClosed(.burned),
            "coupleNotNamed": .coupleNotNamed(name("couple_1"), .held), "wouldSendKeys": .wouldSendKeys,
            "olderCopy": .olderCopy(since: moment), "offerAhead": .offerAhead(moment),
            "noOffer": .noOffer, "noAnswer": .noAnswer,
            "notTheNamed": .notTheNamed,
            "otherPartner": .otherPartner, "partnerKeyChanged": .partnerKeyChanged, "required": .required,
            "keyOfBefore": .keyOfBefore, "changedMeanwhile": .changedMeanwhile,
        ]),
    Walk(
        FileStreamError.self,
        [
            "sealing": .sealing(.tooManySegments), "opening": .opening(.authenticationFailed),
            "exists": .exists(path: "/f"), "isInput": .isInput(path: "/f"),
            "cannotRead": .cannotRead(path: "/f", reason: "Is a directory"),
            "cannotWrite": .cannotWrite(path: "/f", reason: "Is a directory"), "otherFile": .otherFile,
        ]),
    Walk(
        CloserKeys.Attachment.FormatError.self,
        [
            "": caught { () throws(CloserKeys.Attachment.FormatError) in
                _ = try CloserKeys.Attachment(parsing: SecretBytes(utf8: "{}"))
            }
        ]),
    Walk(
        PairingError.self,
        [
            "otherCode": .otherCode, "otherOffer": .otherOffer, "ownUser": .ownUser, "ownKey": .ownKey,
            "codeMismatch": .codeMismatch, "macInvalid": .macInvalid, "malformed": .malformed,
            "phraseRefused": .phraseRefused, "epochMismatch": .epochMismatch(1, ours: 2),
            "keyMismatch": .keyMismatch(7),
            "epochTooHigh": .epochTooHigh(7), "tooManyKeys": .tooManyKeys(maximum: 7),
        ]),
    Walk(
        PairingCode.FormatError.self, ["malformed": .malformed, "inviteCode": .inviteCode]),
    Walk(
        VectorFileError.self,
        [
            "notJSON": .notJSON(fault), "unknownSchema": .unknownSchema("s"), "missing": .missing("m", .file),
            "unknown": .unknown("m", .group(1)), "wrong": .wrong("m", .test(1)),
            "wrongCount": .wrongCount(declared: 1, found: 2), "duplicateID": .duplicateID(1),
            "unexplainedFlag": .unexplainedFlag("f", .test(1)),
        ]),
    Walk(
        EmbeddedVectorsError.self,
        [
            "noIndex": .noIndex, "missing": .missing("f"), "notInIndex": .notInIndex("f"),
            "changed": .changed("f"), "unreadable": .unreadable("f", .notJSON(fault)),
            "wrongCount": .wrongCount("f"),
        ]),
]

private func name<Noun>(_ text: String) -> Identifier.Of<Noun> {
    guard let name = try? Identifier.Of<Noun>(parsing: text) else { preconditionFailure("no name") }
    return name
}

/// The error that `body` throws, of a type that only the library makes.
private func caught<Failure: Error>(_ body: () throws(Failure) -> Void) -> Failure {
    do { try body() } catch { return error }
    preconditionFailure("nothing was thrown")
}

@Suite("What errors say to a person")
struct ErrorWordsTests {
    @Test("every case of every public error has a sentence", arguments: walks)
    func sentences(of walk: Walk) throws {
        let declared = try #require(try Self.declared.get()[walk.type], "\(walk.type) is no public error")
        #expect(Set(walk.errors.keys) == declared)
        for (name, error) in walk.errors {
            let text = error.description
            #expect("\(error as any Error)" == text)
            #expect(text.split(separator: " ").count >= 4, "\(walk.type).\(name): \(text)")
            #expect(!text.hasSuffix(".") && text.first?.isUppercase != true || text.hasPrefix("Argon2id"))
            #expect(
                !text.contains("--") && !text.contains(": closer-keys"), "\(text): an app has no commands")
        }
    }

    @Test("no public error is left out, and no two cases of one say the same") func complete() throws {
        #expect(Set(walks.map(\.type)) == Set(try Self.declared.get().keys))
        for walk in walks {
            #expect(Set(walk.errors.values.map(\.description)).count == walk.errors.count, "\(walk.type)")
        }
    }

    @Test(
        "an error in a case of a vault's error holds another one only for a wrap, a rekey's document, an answer and a chat"
    )
    func flat() throws {
        let vault = try #require(walks.first { $0.type == "VaultError" })
        let held = vault.errors.values.flatMap(Self.errors).map { Walk.name(of: type(of: $0)) }
        #expect(held.count == 15)
        let nesting = walks.filter { walk in
            held.contains(walk.type) && !walk.errors.values.allSatisfy { Self.errors(in: $0).isEmpty }
        }
        #expect(
            Set(nesting.map(\.type))
                == ["UnwrapError", "RekeyDocumentError", "AnswerPayloadError", "ChatError"])
    }

    /// The errors that a case holds, alone or in a tuple.
    static func errors(in error: any Error) -> [any Error] {
        Mirror(reflecting: error).children.flatMap { child in
            [child.value] + Mirror(reflecting: child.value).children.map(\.value)
        }.compactMap { $0 as? any Error }
    }

    /// The public errors of the sources with the names of their cases, as `Outer.Inner` where one is nested.
    private static let declared = Result { try read() }

    private static func read() throws -> [String: Set<String>] {
        let sources = URL(filePath: #filePath).appending(path: "../../../../Sources").standardized
        let files = try #require(FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
        var declared: [String: Set<String>] = [:]
        for case let file as URL in files where file.pathExtension == "swift" {
            var scan = ErrorScan()
            let text = try String(contentsOf: file, encoding: .utf8)
            if keychainWalks.isEmpty, text.hasPrefix("#if canImport(Security)") { continue }
            for line in text.split(separator: "\n") { scan.read(line) }
            declared.merge(scan.declared) { first, _ in first }
        }
        return declared
    }
}

/// The public errors of one file, line by line.
private struct ErrorScan {
    private(set) var declared: [String: Set<String>] = [:]
    /// The type of the first column, and the error that is being read.
    private var (outer, error): (String, String?) = ("", nil)

    mutating func read(_ line: Substring) {
        if line == "}" || line == "    }" { error = nil }
        let isInner = line.hasPrefix(" ")
        var words = line.split(separator: " ")
        if words.first == "@frozen" { words.removeFirst() }
        if !isInner, words.first == "extension", words.count > 1 {
            outer = String(words[1].prefix { $0 != ":" })
        }
        if words.count >= 3, words[0] == "public", ["enum", "struct", "class", "final"].contains(words[1]) {
            let name = String((words[1] == "final" ? words[3] : words[2]).prefix { $0 != ":" })
            if !isInner { outer = name }
            guard line.contains(": Error,") else { return error = nil }
            let full = isInner ? "\(outer).\(name)" : name
            declared[full] = words[1] == "struct" ? [""] : []
            error = words[1] == "struct" ? nil : full
        } else if let error, words.first == "case", let name = words.dropFirst().first, name.first != "." {
            declared[error]?.insert(String(name.prefix { $0.isLetter || $0.isNumber }))
        }
    }
}
