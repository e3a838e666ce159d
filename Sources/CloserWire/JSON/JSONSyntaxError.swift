extension JSONScanner {
    /// Why a text is refused as JSON, with the offset of the byte at which that showed.
    package enum SyntaxError: IdentifiedError, Equatable, Sendable {
        /// A byte that is misplaced there.
        case unexpectedByte(at: Int)
        /// The text ends within a value.
        case unexpectedEnd
        /// The name stands in the same object before.
        case duplicateName(at: Int)
        /// An object or array within more others than the limit allows.
        case tooDeep(at: Int)
        /// An integer beyond ±(2^53 − 1), or a number that no IEEE double holds.
        case numberOutOfRange(at: Int)
        /// Half of a pair of UTF-16 surrogates.
        case loneSurrogate(at: Int)
        /// Bytes that are no UTF-8, in the string that begins here.
        case malformedUTF8(at: Int)
    }
}

extension JSONScanner.SyntaxError {
    package var errorID: ErrorID { .malformed }

    /// What is wrong and where, for a person, without quoting the input.
    package var words: String {
        switch self {
        case .unexpectedByte(let offset): "unexpected byte at \(offset)"
        case .unexpectedEnd: "it ends too early"
        case .duplicateName(let offset): "duplicate name at byte \(offset)"
        case .tooDeep(let offset): "more than 16 levels at byte \(offset)"
        case .numberOutOfRange(let offset): "number out of range at byte \(offset)"
        case .loneSurrogate(let offset): "lone surrogate at byte \(offset)"
        case .malformedUTF8(let offset): "malformed UTF-8 at byte \(offset)"
        }
    }
}
