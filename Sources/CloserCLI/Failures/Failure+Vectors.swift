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
            .negative, code: "vectorsChanged", "the vectors in this program: \(error.words)",
            hint: "do not use this build")
    }

    init(_ fault: ForeignSession.Fault) {
        self =
            switch fault {
            case .process(.cannotStart, _): Failure(.noInput, "the program: \(fault.words)")
            case .process:
                Failure(.ioError, code: "foreignProgram", "the program did not start: \(fault.words)")
            case .garbage:
                Failure(
                    .malformed, code: "foreignProgram", "the program did not start: \(fault.words)",
                    hint: "man closer-keys-vectors.7 describes the lines")
            }
    }
}
