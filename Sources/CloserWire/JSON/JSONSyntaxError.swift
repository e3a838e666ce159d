extension JSONScanner {
    /// Why a text is refused as JSON, with the offset of the byte at which that showed.
    package enum SyntaxError: IdentifiedError, Equatable, Sendable {
        /// A byte that is misplaced there.
        case unexpectedByte(at: Int)
        /// A byte behind the end of the value.
        case byteBehind(at: Int)
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
        /// A byte that is no UTF-8.
        case malformedUTF8(at: Int)
    }
}

extension JSONScanner.SyntaxError {
    package var errorID: ErrorID { .malformed }
}
