internal import CloserKeys
internal import CloserTink
package import CloserWire

/// A case that was made just now.
package struct LiveCase {
    package let comment: String
    /// What the implementation gets.
    package let input: JSONValue
    package let expectation: Expectation
    /// How its output is read back; nil if the output itself is expected.
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
    /// The operation that reads it.
    package let operation: VectorOperation
    /// What that takes beside the output.
    package let input: JSONValue
    /// What it gives if the output is right.
    package let expected: JSONValue
    /// `input` with all keys: an output that only this one reads was sealed under a key that is not the primary.
    package let wider: JSONValue?
    /// The part of the output that must be new each time, and what it is called.
    let fresh: SealedPart
    package let freshName: String
    let prefixByteCount: Int

    /// The bytes that must be new each time.
    package func freshBytes(in output: JSONValue) throws -> [UInt8] {
        try fresh.bytes(in: output, behind: prefixByteCount)
    }

    /// The case of reading `output`, with `input` or with what stands in its place.
    package func test(of output: JSONValue, _ input: JSONValue? = nil) -> VectorCase {
        VectorCase(
            operation: operation.name, id: 0, comment: "", flags: [],
            input: (input ?? self.input).merging(output).members ?? [], expectation: .output(expected))
    }
}
