public import CloserPrimitives
package import CloserWire

/// Six characters that one partner tells the other: the key to the phrase in an invite (closer-keys-formats(7), THE
/// COUPLE KEY, Legacy invite code).
///
/// - Important: A code has 30 bits. A reader of the invite document can try all of them: the code keeps strangers out, but not the
///   server (docs/threat-model.md#w1 and #w3).
@frozen public struct InviteCode: ~Copyable, Sendable {
    /// Six characters.
    public static let count = 6
    /// The text has another length than six, or a character besides ASCII letters and digits.
    public struct FormatError: Error, Equatable, Sendable {}

    /// The code as it is written. Upper and lower case differ.
    public let text: SecretBytes
    /// What is tried next, if a person typed the code and in lower case; nil for a document's, which has one spelling.
    private let upperCased: SecretBytes?

    /// A new code.
    public static func random(from randomness: Randomness = .system) -> InviteCode {
        InviteCode(checked: CodeSymbol.random(count: count, from: randomness))
    }

    /// Takes over six ASCII letters and digits, as a document contains them. Upper and lower case differ.
    ///
    /// For what a person typed, take ``init(typed:)``, which also tries upper case.
    ///
    /// - Throws: ``FormatError``.
    public init(parsing text: consuming SecretBytes) throws(FormatError) {
        guard Self.isCode(text) else { throw FormatError() }
        self.init(checked: text)
    }

    /// Takes over what a person typed; this is the one for a text field. It is used as it is, then in upper
    /// case: the app makes codes in upper case, and a person may type small letters. White space and hyphens are dropped.
    ///
    /// - Throws: ``FormatError``.
    public init(typed: consuming SecretBytes) throws(FormatError) {
        let text = typed.withBytes { bytes in
            ConstantTimeFilter(of: bytes, room: bytes.count) { ~Separator.mask(bytes, at: $0) }.bytes()
        }
        guard Self.isCode(text) else { throw FormatError() }
        upperCased = text.withBytes { bytes in
            SecretBytes(capacity: bytes.count) { output in
                for index in bytes.indices { output.append(ConstantTime.upperCased(bytes[index])) }
            }
        }
        self.text = text
    }

    /// Hands the text to a new owner, also where the code is unnamed: `random().takeText()`.
    public consuming func takeText() -> SecretBytes { text }

    init(copying code: borrowing InviteCode) {
        self.init(checked: code.text.withBytes { SecretBytes(copying: $0) })
    }

    private init(checked text: consuming SecretBytes) {
        self.text = text
        upperCased = nil
    }

    /// Runs `body` with the code as it was given and, if that fails to open, in upper case.
    fileprivate borrowing func trying<Result: ~Copyable>(
        _ body: (borrowing SecretBytes) throws(UnwrapError) -> Result
    ) throws(UnwrapError) -> Result {
        do { return try body(text) } catch .wrongCode {
            switch upperCased {
            case .some(let upperCased) where !upperCased.isEqual(to: text): return try body(upperCased)
            default: throw .wrongCode
            }
        }
    }

    private static func isCode(_ text: borrowing SecretBytes) -> Bool {
        text.withBytes { $0.count == count && areAllowed($0) }
    }

    /// Whether all are letters and digits. Which of them are shows nowhere.
    package static func areAllowed(_ bytes: Span<UInt8>) -> Bool {
        bytes.indices.reduce(UInt8(0xFF)) { allowed, index in
            let upper = ConstantTime.upperCased(bytes[index])
            let isOne = ConstantTime.mask(upper, in: 0x41...0x5A) | ConstantTime.mask(upper, in: 0x30...0x39)
            return allowed & isOne
        } == 0xFF
    }
}

/// The recovery phrase under an invite code: `01 ‖ salt(16) ‖ iv(12) ‖ ciphertext ‖ tag(16)` in standard base64.
@usableFromInline package struct InvitedPhrase: Equatable, Sendable {
    /// The text that the invite document has.
    package let text: String

    /// Takes a document's text. ``open(with:)`` checks it.
    package init(_ text: String) { self.text = text }

    private static let version: UInt8 = 1
    private static let associatedData = Array("closer_recovery_phrase".utf8)

    /// Seals the phrase under the code and a fresh salt. Takes 30 to 100 ms and 45 MiB, on purpose.
    ///
    /// - Throws: `MemoryShortage`.
    package init(
        _ phrase: borrowing RecoveryPhrase, under code: borrowing InviteCode,
        from randomness: Randomness = .system
    ) throws(MemoryShortage) {
        let salt = randomness.bytes(Argon2id.saltByteCount)
        let cipher = AESGCM(key: try WrapCost.argon2id.derive(from: code.text, salt: salt.span))
        let box = [UInt8](capacity: 1 + salt.count + phrase.text.count + AESGCM.overheadByteCount) {
            output in
            output.append(Self.version)
            output.append(salt)
            phrase.text.withBytes {
                cipher.seal(
                    $0, nonceFrom: randomness, authenticating: Self.associatedData.span, into: &output)
            }
        }
        text = Base64.standard.encode(box)
    }

    /// Whether `text` has the right form. Whether it opens, only a code can show.
    static func isWellFormed(_ text: String) -> Bool { box(in: text) != nil }

    /// Opens the phrase. Each try takes 30 to 100 ms and 45 MiB, on purpose.
    ///
    /// - Throws: `.malformed`, `.outOfMemory`, or `.wrongCode` for another code or a changed byte.
    package func open(with code: borrowing InviteCode) throws(UnwrapError) -> RecoveryPhrase {
        guard let box = Self.box(in: text) else { throw .malformed }
        return try code.trying { (code) throws(UnwrapError) in try Self.open(box, code) }
    }

    private static func open(
        _ box: [UInt8], _ code: borrowing SecretBytes
    ) throws(UnwrapError) -> RecoveryPhrase {
        let salt = box.span.extracting(1..<1 + Argon2id.saltByteCount)
        let cipher = try WrapCost.cipher(from: code, salt: salt)
        let sealed = box.span.extracting(droppingFirst: 1 + Argon2id.saltByteCount)
        let phrase: SecretBytes
        do { phrase = try cipher.openCombined(sealed, authenticating: associatedData.span) } catch {
            throw .wrongCode
        }
        do { return try RecoveryPhrase(exactly: phrase) } catch { throw .malformed }
    }

    private static func box(in text: String) -> [UInt8]? {
        let overhead = 1 + Argon2id.saltByteCount + AESGCM.overheadByteCount
        guard let box = try? Base64.standard.decode(text), box.first == version,
            (overhead + 1...overhead + RecoveryPhrase.maximumByteCount).contains(box.count)
        else { return nil }
        return box
    }
}

extension InviteCode.FormatError: WordedError {
    package var words: ErrorWords {
        ErrorWords(.malformed, "an invite code has six letters and digits")
    }
}
