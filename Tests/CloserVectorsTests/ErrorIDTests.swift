import CloserPrimitives
import CloserTink
import CloserWire
import Foundation
import TestSupport
import Testing

@testable import CloserCLI
@testable import CloserKeys
@testable import CloserVectors

/// Not that of swift-testing.
private typealias ExitStatus = CloserCLI.ExitStatus

/// One error, one name: in vectors and in the program's JSON.
@Suite("The ids of errors")
struct ErrorIDTests {
    private static let keysetErrors: [KeysetError] = [
        .malformed, .notCanonical, .tooLarge(maximumByteCount: 1), .tooManyKeys(maximum: 1), .empty,
        .severalKeys,
        .duplicateKeyID(1), .primaryMissing(1), .primaryNotEnabled(1), .unsupportedKeyType("", id: 1),
        .unsupportedParameters,
        .unsupportedVersion(1),
        .unknownStatus(9), .unknownPrefix(9), .wrongMaterialType(9), .wrongKeySize(byteCount: 16),
        .wrongSegmentSize(byteCount: 1), .integerOutOfRange, .notAPoint, .publicKeyMismatch,
        .wrongKind(expected: .aesGCM), .holdsSecret, .noSuchKey(1), .notEnabled(1), .isPrimary(1),
    ]

    private static let openErrors: [OpenError] = [
        .tooShort, .noMatchingKey, .notAStream, .authenticationFailed, .contextTooLong,
        .keyRefused,
    ]

    private static let fault = JSONFault(.unexpectedEnd, in: [UInt8]().span)

    private static let others: [any Error] = [
        TokenError.notAToken, TokenError.unsupportedVersion, TokenError.malformed(.other), TokenError.placed,
        TokenError.unbound, FieldPlace.FormatError(), FieldError.unbound,
        PublicKeyToken.FormatError.token(.malformed(.other)), PublicKeyToken.FormatError.severalKeys,
        PublicKeyToken.FormatError.keyset(.tooManyKeys(maximum: 32)), UnwrapError.malformed,
        UnwrapError.wrongCosts,
        UnwrapError.wrongPhrase, UnwrapError.wrongCode, RevealError.noMatchingKey,
        RevealError.authenticationFailed,
        RevealError.commitmentMismatch, RevealError.pinMismatch,
        RevealError.malformed, RevealError.macInvalid, RevealError.placeMismatch, X25519KeyError.malformed,
        X25519KeyError.lowOrderPublicKey, X25519KeyError.infoTooLong,
        SafetyNumber.FormatError.malformed, SafetyNumber.FormatError.otherVersion,
        ChatOpenError.authenticationFailed,
        ChatFormatError.malformed, ChatFormatError.misspelled(.other), ChatFormatError.notAnObject(fault),
        Identifier.FormatError(), AnswerContext.ReservedQuestion(), AnswerPlace.FormatError(),
        InviteCode.FormatError(), RecoveryPhrase.FormatError(), AnswerPayloadError.malformed(fault),
        AnswerPayloadError.reservedName, AnswerPayloadError.tooLarge,
        AnswerPayloadError.tooShort, HybridSealError.notAPublicKeyset, HybridSealError.contextTooLong,
        FieldError.plaintextTooLarge, StreamingAEAD.SealError.associatedDataTooLong,
        StreamingAEAD.SealError.tooManySegments, StreamingAEAD.SealError.keyRefused,
        ChatSealError.plaintextTooLarge, MemoryShortage(.argon2id, byteCount: 1024),
        UnwrapError.outOfMemory(MemoryShortage(.argon2id, byteCount: 1024)),
    ]

    static let errors: [any Error] =
        keysetErrors + openErrors + keysetErrors.map { UnwrapError.keyset($0) } + others

    @Test("are those of the program")
    func agree() {
        #expect(Self.errors.count == 104)
        for error in Self.errors {
            #expect(VectorError.name(of: error) == CLIError(error).id.rawValue, "\(error)")
        }
    }

    @Test("an error that nobody foresaw has none")
    func unforeseen() {
        struct Unforeseen: Error {}
        #expect(VectorError.name(of: Unforeseen()) == nil)
    }

    @Test("are, where a run fails, the names of its exit codes")
    func statuses() {
        let endings: [ExitStatus] = [.ok, .interrupted, .terminated]
        for status in ExitStatus.allCases where !endings.contains(status) {
            #expect(status.error?.status == status, "\(status)")
        }
        #expect(endings.allSatisfy { $0.error == nil })
    }

    private static func page(_ name: String) throws -> String {
        try String(contentsOf: TestData.root.appending(path: "man/\(name)"), encoding: .utf8)
    }

    @Test(
        "and exit codes stand in the man pages, and no others do",
        .proves("Exit codes and error ids are those of the manual"))
    func manPage() throws {
        let (page, scripting) = (try Self.page("closer-keys.1"), try Self.page("closer-keys-scripting.7"))
        let codes = page.matches(of: /\.It (\d+) (\w+)\n.*\.\n/).map { "\($0.1) \($0.2)" }
        #expect(codes == ExitStatus.allCases.map { "\($0.rawValue) \($0.id)" })
        let exact = scripting.matches(of: /\.It (\w+) Pq ([\d, ]+)\n/).map { "\($0.1) \($0.2)" }
        let ours = ErrorID.allCases.filter { ExitStatus(named: $0) == nil }.map { id in
            "\(id.rawValue) \(id.status.rawValue)"
        }
        #expect(exact == ours)
    }

    @Test("of vectors are those of every schema, and of vectors/README.md, in its order")
    func schemas() throws {
        let ids = ErrorID.ofVectors.map(\.rawValue)
        let folder = TestData.root.appending(path: "vectors")
        let readme = try String(contentsOf: folder.appending(path: "README.md"), encoding: .utf8)
        let table = try #require(readme.firstMatch(of: /\| error \| when \|\n.*\n((\|.*\n)+)/)).1
        #expect(table.matches(of: /(?m)^\| `(\w+)` \|/).map { String($0.1) } == ids)
        let schemas = try FileManager.default.contentsOfDirectory(
            atPath: folder.appending(path: "schema").path())
        #expect(schemas.count == 28)
        for name in schemas {
            let bytes = try Data(contentsOf: folder.appending(path: "schema/\(name)"))
            let enums = try JSONValue(parsing: bytes).values(named: "error").flatMap {
                $0.values(named: "enum")
            }
            #expect(!enums.isEmpty && enums.allSatisfy { $0.array?.map(\.string) == ids }, "\(name)")
        }
    }
}

extension ExitStatus {
    /// The one that has an error's name.
    fileprivate init?(named id: ErrorID) {
        guard let status = Self.allCases.first(where: { $0.error == id }) else { return nil }
        self = status
    }
}

extension JSONValue {
    /// The values of all members of this name, however deep.
    fileprivate func values(named name: String) -> [JSONValue] {
        let inner = (members ?? []).map(\.value) + (array ?? [])
        let own = (members ?? []).filter { $0.name == name }.map(\.value)
        return own + inner.flatMap { $0.values(named: name) }
    }
}
