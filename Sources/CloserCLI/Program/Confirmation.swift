internal import CloserPrimitives
internal import CloserSystem
internal import CloserWire

extension Terminal {
    /// Returns if a person says yes. Otherwise the error says what was not done.
    borrowing func confirm(_ question: String, or outcome: String) throws {
        let answer = try SecretBytes(capacity: 256) { typed in
            _ = try ask("\(question) type yes: ".plainLine, into: &typed)
        }
        guard answer.withBytes({ [UInt8](copying: $0) == Array("yes".utf8) }) else {
            throw CLIError(.inputRequired, "\(outcome), because the answer was not yes")
        }
    }
}
