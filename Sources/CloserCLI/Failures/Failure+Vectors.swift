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
}
