public import CloserPrimitives
package import CloserTink
package import CloserWire

/// What opens one sealed file that is sent beside a message: its key, its size and its digest (closer-keys-formats(7), CHATS,
/// Attachments).
///
/// It goes into the message's payload, with the `url` of the file. Each attachment has a key and a digest of its own, so the server cannot
/// exchange two files. CloserVault seals and opens the file.
///
/// - Important: Its JSON has the key in the clear. Send it in a sealed message only.
public struct Attachment: Sendable {
    /// What the sender calls the file: a text to show. Never use it as a path: it may be `../../` and a name, or empty.
    public let name: String
    /// What the sender says that the file is, such as `image/jpeg`; it may be any text.
    public let mimeType: String
    /// How many bytes the sealed file has.
    public let byteCount: Int
    /// SHA-256 of the sealed file, 32 bytes.
    fileprivate let digest: [UInt8]
    /// One streaming key.
    fileprivate let keyset: Keyset

    /// Whether `read` gives the sealed file, and nothing behind it. It appends what there is, at most the free room, and gives false at the
    /// end.
    package func isOf(_ read: (inout OutputSpan<UInt8>) throws -> Bool) rethrows -> Bool {
        let hash = SHA256.Parts()
        var (count, isMore) = (0, true)
        while isMore, count <= byteCount {
            let part = try [UInt8](capacity: 1 << 20) { isMore = try read(&$0) }
            hash.append(part.span)
            count += part.count
        }
        let found = hash.digest()
        return count == byteCount && found == digest
    }

    /// Begins to open a file for which ``isOf(_:)`` was true.
    package func opener() -> StreamOpener {
        guard let opener = try? StreamingAEAD(keyset).opener(associatedData: []) else {
            preconditionFailure("an attachment has a streaming key")
        }
        return opener
    }
}

/// Seals a file under a key of its own, without associated data, and learns what its attachment says.
package struct AttachmentSealer: ~Copyable, StreamStage {
    private let keyset = Keyset(.streaming(.oneMiB))
    private var sealer: StreamSealer
    private let hash = SHA256.Parts()
    private var byteCount = 0

    package init() {
        guard let sealer = try? StreamingAEAD(keyset).sealer(associatedData: []) else {
            preconditionFailure("a new streaming key seals")
        }
        self.sealer = sealer
    }

    package var segmentByteCount: Int { sealer.segmentByteCount }
    package var isFinished: Bool { sealer.isFinished }

    package mutating func process(
        _ input: Span<UInt8>, isEnd: Bool, into output: inout OutputSpan<UInt8>
    ) throws(StreamingAEAD.SealError) -> Int {
        let start = output.count
        let count = try sealer.seal(input, isEnd: isEnd, into: &output)
        hash.append(output.span.extracting(droppingFirst: start))
        byteCount += output.count - start
        return count
    }

    /// What opens the file, once all of it is sealed.
    package consuming func attachment(named name: String, mimeType: String) -> Attachment {
        Attachment(
            name: name, mimeType: mimeType, byteCount: byteCount, digest: hash.digest(), keyset: keyset)
    }
}

extension Attachment: CustomStringConvertible, CustomReflectable {
    /// A text without the key and the name.
    public var description: String { "Attachment(\(byteCount) bytes, redacted)" }
    /// A mirror without children, so that `dump` finds no key.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Attachment {
    /// A text is not one JSON object, lacks a member or has it in another form, or its `key` is not a keyset of one streaming key.
    public struct FormatError: Error, Equatable, Sendable {}

    /// Parses a JSON object, such as a message's payload. Other members are ignored.
    ///
    /// - Throws: ``FormatError``.
    public init(parsing json: borrowing SecretBytes) throws(FormatError) {
        guard let parsed = json.withBytes({ Self($0) }) else { throw FormatError() }
        self = parsed
    }

    private init?(_ json: Span<UInt8>) {
        guard let members = try? DocumentReader(json, of: ["digest", "key", "mime", "name", "size"]),
            let name = members.string("name", in: json), let mimeType = members.string("mime", in: json),
            let digest = members.string("digest", in: json),
            let commitment = try? Commitment(parsing: digest.utf8),
            case .number(let size)? = members.value("size"), let byteCount = Int(exactly: size),
            byteCount >= StreamingAEAD.minimumByteCount, let base64 = members.secret("key", in: json),
            let binary = try? base64.withBytes(SecretBase64.standard.decode),
            // Any implementation of Tink may have written it.
            let keyset = try? InsecureCleartextKeyset.read(binary: binary),
            keyset.kind == .streaming, keyset.entries.count == 1
        else { return nil }
        self.init(
            name: name, mimeType: mimeType, byteCount: byteCount, digest: commitment.digest, keyset: keyset)
    }

    /// The canonical JSON: `digest`, `key`, `mime`, `name` and `size`, in locked memory for the key's sake.
    public var bytes: SecretBytes {
        func text(_ text: String) -> String {
            String(decoding: JSONValue.string(text).canonicalBytes, as: UTF8.self)
        }
        let front = Array("{\"digest\":\"sha256:\(Base64.url.encode(digest))\",\"key\":\"".utf8)
        let back = Array("\",\"mime\":\(text(mimeType)),\"name\":\(text(name)),\"size\":\(byteCount)}".utf8)
        let key = InsecureCleartextKeyset.binary(keyset)
        let count = front.count + SecretBase64.standard.encodedCount(key.count) + back.count
        return SecretBytes(capacity: count) { output in
            output.append(front)
            key.withBytes { SecretBase64.standard.encode($0, into: &output) }
            output.append(back)
        }
    }
}

extension Attachment.FormatError: WordedError {
    package var words: ErrorWords {
        ErrorWords(
            .malformed,
            "this is not an attachment: it lacks digest, key, mime, name or size, or has another form")
    }
}
