internal import CloserKeys
internal import CloserWire

/// Which members a batch takes out of a line, and which it puts in their place.
struct BatchShape: Sendable {
    let consumed: [JSONLine.Name]
    let produced: [JSONLine.Name]
    /// Whether a line may be the bare text of the consumed member.
    let takesBareLine: Bool
    /// Whether the result is kept from terminals.
    let isSecret: Bool

    /// Turns a plaintext into `produced`. It takes no bare line, because `{"a":1}` could be a plaintext or an object.
    static func sealing(into produced: [JSONLine.Name]) -> BatchShape {
        BatchShape(consumed: .plaintext, produced: produced, takesBareLine: false, isSecret: false)
    }

    func consumes(_ name: JSONLine.Name) -> Bool { consumed.contains { $0.bytes == name.bytes } }

    /// This shape, which also takes a member that tells of the plaintext out of the line.
    func taking(_ name: JSONLine.Name) -> BatchShape {
        BatchShape(
            consumed: consumed + [name], produced: produced, takesBareLine: takesBareLine, isSecret: isSecret)
    }

    /// This shape, which also puts a member that tells of the plaintext into the line.
    func giving(_ name: JSONLine.Name) -> BatchShape {
        BatchShape(
            consumed: consumed, produced: produced + [name], takesBareLine: takesBareLine, isSecret: isSecret)
    }

    /// This shape, with objects alone.
    var ofObjects: BatchShape {
        BatchShape(consumed: consumed, produced: produced, takesBareLine: false, isSecret: isSecret)
    }

    /// Turns `consumed` into a plaintext.
    static func opening(_ consumed: [JSONLine.Name], isSecret: Bool = false) -> BatchShape {
        BatchShape(
            consumed: consumed, produced: .plaintext, takesBareLine: consumed.count == 1, isSecret: isSecret)
    }
}

extension JSONLine.Name {
    static let text = Self("plaintext")
    static let base64 = Self("plaintextBase64")
    fileprivate static let line = Self("line")
    fileprivate static let error = Self("error")
}

extension [JSONLine.Name] {
    static let plaintext: Self = [.text, .base64]
}

/// One line of a batch: an object, or a bare token. One value reads line after line.
struct BatchLine: ~Copyable {
    private let shape: BatchShape
    private var object = JSONLine()
    private var isObject = false
    private var bytes: [UInt8] = []
    /// The line, trimmed of white space.
    private var range = 0..<0

    init(_ shape: BatchShape) { self.shape = shape }

    /// Reads the line that stands in `range`.
    mutating func read(_ range: Range<Int>, of bytes: [UInt8]) throws {
        isObject = false
        self.bytes = bytes
        self.range = Inputs.textRange(of: bytes.span, in: range)
        let isBare = self.range.isEmpty || bytes[self.range.lowerBound] != UInt8(ascii: "{")
        guard !(isBare && shape.takesBareLine) else { return object.forget() }
        do { try object.read(self.range, of: bytes) } catch {
            object.forget()
            let line = bytes.span.extracting(first: range.upperBound)
            throw CLIError(JSONFault(error, in: line, from: range.lowerBound).words(of: "this line"))
        }
        isObject = true
    }

    /// Lets go of the line, so that its memory can be read into once more.
    mutating func forget() {
        (bytes, isObject) = ([], false)
        object.forget()
    }

    /// Whether the line failed in an earlier run. Such a line is passed on as it is, with its error.
    ///
    /// A line with a member named as a result of this run does not count: the next program would take that member for ours.
    var hasFailedBefore: Bool {
        guard isObject, object.has(.line), object.has(.error), object.text(.error) == nil else {
            return false
        }
        return !has(oneOf: shape.consumed) && !has(oneOf: shape.produced)
    }

    private func has(oneOf names: [JSONLine.Name]) -> Bool {
        for name in names where object.has(name) { return true }
        return false
    }

    /// Refuses a line with a member that has a result's name, unless the batch consumes that member. The line would have two of them.
    func refuseResults() throws {
        guard isObject else { return }
        for name in shape.produced where object.has(name) && !shape.consumes(name) {
            let name = String(decoding: name.bytes, as: UTF8.self)
            throw CLIError(
                .malformed, "this line already has a member \(name), which is the name of a result")
        }
    }

    func has(_ name: JSONLine.Name) -> Bool { isObject && object.has(name) }

    /// Lends the text of the member `name`, or the bare line.
    func withText<Result>(_ name: JSONLine.Name, _ body: (Span<UInt8>) throws -> Result) throws -> Result {
        guard isObject else { return try body(bytes.span.extracting(range)) }
        guard let text = object.text(name) else {
            let name = String(decoding: name.bytes, as: UTF8.self)
            throw CLIError(.malformed, "this line needs a member \(name) with a string")
        }
        if let range = object.range(text) { return try body(bytes.span.extracting(range)) }
        let characters = object.characters(text)
        return try body(characters.span)
    }

    func text(_ name: JSONLine.Name) throws -> [UInt8] { try withText(name) { [UInt8](copying: $0) } }

    /// The value of the member `name`, as it is written.
    func value(_ name: JSONLine.Name) throws -> [UInt8] {
        guard isObject, let value = object.value(name) else {
            let name = String(decoding: name.bytes, as: UTF8.self)
            throw CLIError(.malformed, "this line has no member \(name)")
        }
        return Array(bytes[value])
    }

    /// The document in the member `name`. `noun` is what errors call it.
    func document<Document>(
        _ name: JSONLine.Name, _ noun: String, _ parse: ([UInt8]) throws(DocumentError) -> Document
    ) throws -> Document {
        let bytes = try value(name)
        guard bytes.count <= Inputs.maximumDocumentByteCount else {
            throw CLIError(.limit, "a document has at most \(Inputs.maximumDocumentByteCount) bytes")
        }
        do { return try parse(bytes) } catch { throw CLIError(error, noun: noun) }
    }

    /// Lends the plaintext, from the one of its two members that the line has.
    func withPlaintext<Result>(_ body: (Span<UInt8>) throws -> Result) throws -> Result {
        guard has(.base64) else { return try withText(.text, body) }
        guard !has(.text) else {
            throw CLIError(
                .malformed, "this line has both plaintext and plaintextBase64: give one of the two")
        }
        let bytes = try withText(.base64) { try? Base64.standard.decode($0) }
        guard let bytes else {
            throw CLIError(.malformed, "plaintextBase64 is not standard base64 in the only accepted spelling")
        }
        return try body(bytes.span)
    }

    func plaintext() throws -> [UInt8] { try withPlaintext { [UInt8](copying: $0) } }

    /// Appends the line, with the result in the place of what was consumed.
    func append(to output: inout [UInt8], with result: borrowing JSONMembers) {
        object.append(to: &output, replacing: isObject ? shape.consumed : [], with: result)
    }

    /// Appends the line with its error, in front of the members that the batch does not touch.
    ///
    /// A member with the name of a result goes, too: `seal` would encrypt a plaintext that a stranger put beside a token,
    /// or in its place, once `open` has refused the line.
    func appendFailed(to output: inout [UInt8], with error: borrowing JSONMembers) {
        let dropped = shape.consumed + shape.produced + [.line, .error]
        object.append(to: &output, replacing: dropped, with: error, inFront: true)
    }
}

extension JSONMembers {
    /// An opened plaintext: as text if it is UTF-8, else in base64.
    mutating func append(plaintext bytes: Span<UInt8>) {
        guard !append(.text, text: bytes) else { return }
        append(.base64, plain: Base64.standard.encodedCount(bytes.count)) {
            Base64.standard.encode(bytes, into: &$0)
        }
    }
}
