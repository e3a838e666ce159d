internal import CloserJudge
internal import CloserKeys
internal import CloserSystem
internal import CloserVectors

extension Failure {
    init(_ error: VectorFileError, in name: String) {
        self = Failure(
            .malformed, "\(name): \(error.words)",
            hint: "man closer-keys-vectors.7 describes the files, and which of Wycheproof's are known")
    }

    init(_ error: EmbeddedVectorsError) {
        self = Failure(
            .negative, code: .vectorsChanged, "the vectors in this program: \(error.words)",
            hint: "do not use this build")
    }

    init(_ fault: ForeignSession.Fault, starting command: [String]) {
        self =
            switch fault {
            case .process(.cannotStart(let reason), _): Self.cannotStart(command, reason.lowercased())
            case .process:
                Failure(.ioError, code: .foreignProgram, "the program did not start: \(fault.words)")
            case .garbage:
                Failure(
                    .malformed, code: .foreignProgram, "the program did not start: \(fault.words)",
                    hint: "man closer-keys-vectors.7 describes the lines")
            }
    }

    /// A name with a space in it is most often a command that was quoted as one word.
    private static func cannotStart(_ command: [String], _ reason: String) -> Failure {
        let failure = Failure(.noInput, "cannot start '\(Shown.short(command[0]))': \(reason)")
        guard command[0].contains(" ") else { return failure }
        let words = Shown.short(command.joined(separator: " "))
        return failure.hinting("no quotes around the whole command: -- \(words)")
    }
}
