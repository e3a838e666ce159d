import CloserKeys
import CloserPrimitives

extension Timed {
    /// What Tests/ConstantTime does with hidden bytes, as far as the secrets can be of one length; and base64 as it is read.
    static let all = controls + comparisons + base64 + codes + phrases + pairing

    private static let ours = bytes(32)
    /// A ~Copyable secret that closures share.
    private final class Shared: Sendable {
        let secret: SecretBytes
        init(_ bytes: [UInt8]) { secret = SecretBytes(copying: bytes.span) }
    }

    @Sendable private static func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in .random(in: 0...255) }
    }

    private static let controls = [
        Timed("a comparison that stops at the first difference", .planted, fixed: ours, random: { bytes(32) })
        {
            secret in secret.indices.allSatisfy { secret[$0] == ours[$0] }
        },
        // Both classes are new ones.
        Timed("a comparison, and both classes are the same", .same, fixed: bytes(32), random: { bytes(32) }) {
            secret in ConstantTime.isEqual(secret, ours.span)
        },
    ]

    private static let comparisons = [
        Timed("two secrets are compared, the same or not", fixed: ours, random: { bytes(32) }) {
            secret in ConstantTime.isEqual(secret, ours.span)
        },
        Timed("a MAC is checked, the right one or not", fixed: tag, random: { bytes(32) }) {
            secret in HMACSHA256.isValid(secret, of: message.span, key: key.secret)
        },
        Timed(
            "a commitment is made of a payload, and compared", fixed: payload,
            random: { bytes(payload.count) }
        ) {
            secret in ConstantTime.isEqual(SHA256.hash(secret).span, pinned.span)
        },
        Timed(
            "a scalar is held against its range", fixed: [UInt8](repeating: 0, count: 31) + [5],
            random: { bytes(32) }
        ) {
            secret in ConstantTime.isPositive(secret, below: order)
        },
    ]

    private static let key = Shared([UInt8](repeating: 7, count: 32))
    private static let message = Array("message".utf8)
    private static let tag = HMACSHA256.tag(of: message.span, key: key.secret)
    private static let payload = Array(#"{"answer":"yes"}"#.utf8)
    private static let pinned = SHA256.hash(payload.span)
    private static let order = [UInt8](repeating: 0xFF, count: 32)

    private static let base64 = [SecretBase64.standard, .url].flatMap { alphabet in
        [
            Timed("a secret is written in base64, \(alphabet)", fixed: bytes(64), random: { bytes(64) }) {
                secret in
                SecretBytes(shortLived: 100) { alphabet.encode(secret, into: &$0) }
            },
            Timed(
                "a secret is read in base64, \(alphabet)", fixed: text(bytes(64), alphabet),
                random: { text(bytes(64), alphabet) }
            ) { secret in try alphabet.decode(secret) },
        ]
    }

    @Sendable private static func text(_ bytes: [UInt8], _ alphabet: SecretBase64) -> [UInt8] {
        [UInt8](capacity: 100) { alphabet.encode(bytes.span, into: &$0) }
    }

    private static let codes = [
        Timed("a code is drawn", fixed: bytes(12), random: { bytes(12) }) { secret in
            CodeSymbol.symbols(of: secret)
        },
        Timed("a pairing code is read as it was typed", fixed: code(12), random: { code(12) }) { secret in
            CodeSymbol.Reading(secret)
        },
        Timed("an invite's code is read as it was typed", fixed: code(6), random: { code(6) }) { secret in
            InviteCode.areAllowed(secret)
        },
    ]

    private static let symbols = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZabcdefghjkmnpqrstvwxyz".utf8)
    @Sendable private static func code(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in symbols.randomElement() ?? 0 }
    }

    private static let phrases = [
        Timed("a phrase is drawn from the words", fixed: bytes(10), random: { bytes(10) }) { secret in
            RecoveryWords.joined(secret)
        },
        Timed("a phrase is brought into its normal form", fixed: phrase(), random: phrase) { secret in
            RecoveryPhrase.normalized(secret)
        },
        Timed("a word is looked for in the list, and is there or not", fixed: word(), random: { letters(6) })
        {
            secret in RecoveryWords.contains(secret)
        },
    ]

    private static let words = RecoveryWords.all.map { Array($0.utf8) }.filter { $0.count == 6 }
    @Sendable private static func word() -> [UInt8] { words.randomElement() ?? [] }
    @Sendable private static func letters(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in .random(in: 97...122) }
    }
    /// Typed, so that letters are large and small.
    @Sendable private static func phrase() -> [UInt8] {
        Array((0..<10).map { _ in word() }.joined(separator: [32])).map {
            $0 >= 97 && Bool.random() ? $0 & ~32 : $0
        }
    }

    private static let pairing = [
        Timed("a pairing's password is hashed", fixed: code(6), random: { code(6) }) { secret in
            let password = copy(of: secret)
            return SHA512.hash(
                CPace.generatorString(password: password, channel: [1, 2, 3], session: [4, 5, 6]))
        },
        Timed("a pairing's keys are derived, and its tag is checked", fixed: bytes(64), random: { bytes(64) })
        { secret in
            let session = copy(of: secret)
            let derived = HKDF.derive(from: session, salt: message.span, info: message.span, count: 32)
            return HMACSHA256.isValid(pinned.span, of: message.span, key: derived)
        },
    ]

    private static func copy(of secret: Span<UInt8>) -> SecretBytes {
        SecretBytes(shortLived: secret.count) { output in
            for index in secret.indices { output.append(secret[index]) }
        }
    }
}
