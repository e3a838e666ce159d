package import CloserWire

/// A case that was drawn a moment ago, so that it is new to every implementation.
package struct LiveCase {
    package let comment: String
    package let input: JSONValue
    package let expectation: Expectation
    /// How the output is read back; nil if `expectation` says exactly what it must be.
    package var readBack: ReadBack?

    /// `isAgain` says that the implementation is asked it a second time.
    package func vectorCase(of operation: VectorOperation, id: Int, isAgain: Bool) -> VectorCase {
        VectorCase(
            operation: operation.name, id: id, comment: isAgain ? "\(comment), once more" : comment,
            flags: [],
            input: input.members ?? [], expectation: expectation)
    }
}

/// How we read what another implementation sealed.
package struct ReadBack {
    package let operation: VectorOperation
    /// What that operation takes beside the output.
    package let input: JSONValue
    /// What that operation gives if the output is right.
    package let expected: JSONValue
    /// `input` with a keyset of all keys. An output that is readable only with these was sealed under a key that is not
    /// the primary.
    package let wider: JSONValue?
    /// The part of the output that must be new each time, and what it is called.
    let fresh: SealedPart
    package let freshName: String
    let prefixByteCount: Int

    /// The bytes that must be new each time.
    package func freshBytes(in output: JSONValue) throws -> [UInt8] {
        try fresh.bytes(in: output, behind: prefixByteCount)
    }

    /// The case by which we read `output`, with this `input` or, if it is nil, with our own.
    package func test(of output: JSONValue, _ input: JSONValue? = nil) -> VectorCase {
        VectorCase(
            operation: operation.name, id: 0, comment: "", flags: [],
            input: (input ?? self.input).merging(output).members ?? [], expectation: .output(expected))
    }
}
