internal import CloserWire

/// A case that was made just now.
struct LiveCase {
    let comment: String
    /// What the implementation gets.
    let input: JSONValue
    let expectation: Expectation
    /// How its output is read back; nil if the output itself is expected.
    let readBack: ReadBack?

    init(comment: String, input: JSONValue, expectation: Expectation, readBack: ReadBack? = nil) {
        (self.comment, self.input, self.expectation, self.readBack) = (comment, input, expectation, readBack)
    }

    /// A case of which the output is read back.
    init(comment: String, sealing input: JSONValue, _ readBack: ReadBack) {
        self.init(
            comment: comment, input: input, expectation: .readable(as: readBack.expected), readBack: readBack)
    }

    func vectorCase(of operation: String, id: Int) -> VectorCase {
        VectorCase(
            operation: operation, id: id, comment: comment, flags: [], input: input.members ?? [],
            expectation: expectation)
    }
}

/// How we read what another implementation sealed.
struct ReadBack {
    /// The operation of ours.
    let operation: String
    /// What it takes beside the output.
    let input: JSONValue
    /// The members that the output has, exactly these.
    let outputMembers: [String]
    let expected: JSONValue
    /// What in the output must be new each time: a nonce, a salt, an ephemeral or a one-time key.
    let drawn: (VectorInput) throws -> [UInt8]

    /// The output, if it can be read and repeats nothing of `earlier`, which it is added to; else what is wrong.
    func outcome(of output: JSONValue, besides earlier: inout Set<[UInt8]>) -> Outcome {
        guard (output.members ?? []).map(\.name).sorted() == outputMembers.sorted() else {
            return .fault(
                "\(output.line), which has not the members \(outputMembers.joined(separator: ", "))")
        }
        let read = OwnImplementation().answer(test(of: output)).outcome
        guard Expectation.output(expected).isMet(by: read) else {
            return .fault("\(output.line), which we read as \(read.words)")
        }
        guard let drawn = try? drawn(VectorInput(members: output.members ?? [])),
            earlier.insert(drawn).inserted
        else { return .fault("\(output.line), with a nonce, salt or key that an earlier case has") }
        return .output(output)
    }

    /// The case of reading it.
    func test(of output: JSONValue) -> VectorCase {
        VectorCase(
            operation: operation, id: 0, comment: "", flags: [],
            input: (input.members ?? []) + (output.members ?? []), expectation: .output(expected))
    }
}
