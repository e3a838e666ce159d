internal import CloserWire

/// A case that was made just now.
struct LiveCase {
    let comment: String
    /// What the implementation gets.
    let input: JSONValue
    let expectation: Expectation
    /// How its output is read back; nil if the output itself is expected.
    var readBack: ReadBack?

    func vectorCase(of operation: String, id: Int, isAgain: Bool) -> VectorCase {
        VectorCase(
            operation: operation, id: id, comment: isAgain ? "\(comment), once more" : comment, flags: [],
            input: input.members ?? [], expectation: expectation)
    }
}
