internal import CloserKeys
internal import CloserWire

/// Which members a batch takes out of a line, and which it puts in their place.
struct BatchShape {
    let consumed: [String]
    let produced: [String]
    /// Whether a line may be the text of the consumed member alone, without an object around it.
    let takesBareLine: Bool
    /// Whether no terminal may show the result.
    let isSecret: Bool

    static let plaintext = ["plaintext", "plaintextBase64"]

    /// Turns a plaintext into `produced`. It takes no bare line, because `{"a":1}` could be a plaintext or an object.
    static func sealing(into produced: [String]) -> BatchShape {
        BatchShape(consumed: plaintext, produced: produced, takesBareLine: false, isSecret: false)
    }

    /// The same, and takes a member that tells of the plaintext out of the line with it.
    func taking(_ name: String) -> BatchShape {
        BatchShape(
            consumed: consumed + [name], produced: produced, takesBareLine: takesBareLine, isSecret: isSecret)
    }

    /// The same, and puts a member that tells of the plaintext into the line with it.
    func giving(_ name: String) -> BatchShape {
        BatchShape(
            consumed: consumed, produced: produced + [name], takesBareLine: takesBareLine, isSecret: isSecret)
    }

    /// Turns `consumed` into a plaintext.
    static func opening(_ consumed: [String], isSecret: Bool = false) -> BatchShape {
        BatchShape(
            consumed: consumed, produced: plaintext, takesBareLine: consumed.count == 1, isSecret: isSecret)
    }
}

/// One line of a batch: an object, or a bare token.
struct BatchLine {
    private let shape: BatchShape
    private let object: JSONLine?
    private let bare: [UInt8]

    init(_ bytes: [UInt8], _ shape: BatchShape) throws {
        self.shape = shape
        let text = Inputs.trimmed(bytes)
        guard text.first != UInt8(ascii: "{"), shape.takesBareLine else {
            (object, bare) = (try Self.object(text), [])
            return
        }
        (object, bare) = (nil, text)
    }

    private static func object(_ bytes: [UInt8]) throws -> JSONLine {
        do { return try JSONLine(parsing: bytes) } catch {
            throw Failure(.malformed, "this line is not one JSON object, in strict JSON")
        }
    }

    /// Whether the line failed in an earlier run. Such a line is passed on as it is, with its error.
    ///
    /// A line that has a result of this run's is none of them: the next program would take it for ours.
    var hasFailedBefore: Bool {
        guard let object else { return false }
        let isOurs = object.has("line") && object.has("error") && object.text("error") == nil
        return isOurs && !shape.consumed.contains(where: object.has)
            && !shape.produced.contains(where: object.has)
    }

    /// Refuses a line that already has a result: that member would be lost, or be there twice.
    func refuseResults() throws {
        guard let object, let name = shape.produced.first(where: object.has) else { return }
        throw Failure(.malformed, "this line already has a member \(name), which is the name of a result")
    }

    func has(_ name: String) -> Bool { object?.has(name) ?? false }

    /// The text of the member `name`, or the bare line.
    func text(_ name: String) throws -> [UInt8] {
        guard let object else { return bare }
        guard let text = object.text(name) else {
            throw Failure(.malformed, "this line has no member \(name), or the member is not a string")
        }
        return text
    }

    /// The value of the member `name`, as it is written.
    func value(_ name: String) throws -> [UInt8] {
        guard let value = object?.value(name) else {
            throw Failure(.malformed, "this line has no member \(name)")
        }
        return value
    }

    /// The document in the member `name`. `noun` is what errors call it.
    func document<Document>(
        _ name: String, _ noun: String, _ parse: ([UInt8]) throws(DocumentError) -> Document
    ) throws -> Document {
        let bytes = try value(name)
        guard bytes.count <= Inputs.maximumDocumentByteCount else {
            throw Failure(.limit, "a document has at most \(Inputs.maximumDocumentByteCount) bytes")
        }
        do { return try parse(bytes) } catch { throw Failure(error, noun: noun) }
    }

    /// The plaintext, from whichever of its two members the line has.
    func plaintext() throws -> [UInt8] {
        let base64 = try text(BatchShape.plaintext[object?.has(BatchShape.plaintext[1]) == true ? 1 : 0])
        guard let object, object.has(BatchShape.plaintext[1]) else { return base64 }
        guard !object.has(BatchShape.plaintext[0]) else {
            throw Failure(.malformed, "this line has both plaintext and plaintextBase64: give one of the two")
        }
        guard let bytes = try? Base64.standard.decode(base64.span) else {
            throw Failure(.malformed, "plaintextBase64 is not standard base64 in the only accepted spelling")
        }
        return bytes
    }

    /// The line, with the result in the place of what was consumed.
    func replaced(with result: [JSONValue.Member]) -> [UInt8] {
        object?.replacing(shape.consumed, with: result) ?? JSONValue.object(result).printableBytes
    }

    /// The line with its error, in front of the members that the batch does not touch.
    ///
    /// A member with the name of a result goes, too: `seal` would encrypt a plaintext that a stranger put beside a token,
    /// or in its place, once `open` has refused the line.
    func failed(_ error: [JSONValue.Member]) -> [UInt8] {
        guard let object else { return JSONValue.object(error).printableBytes }
        let dropped = shape.consumed + shape.produced + error.map(\.name)
        return object.replacing(dropped, with: error, inFront: true)
    }
}

extension [JSONValue.Member] {
    /// An opened plaintext: as text if it is UTF-8, else in base64.
    static func plaintext(_ bytes: [UInt8]) -> Self {
        if let text = String(utf8: bytes) {
            return [.init(BatchShape.plaintext[0], .string(text))]
        }
        return [.init(BatchShape.plaintext[1], .string(Base64.standard.encode(bytes)))]
    }
}
