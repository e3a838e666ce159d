internal import CloserTink

extension Failure {
    /// Of a stream, a missing part is one more reason; and a reader of a pipe must learn that it has not all.
    init(ofStream error: OpenError, isPartWritten: Bool) {
        guard error == .authenticationFailed else {
            self.init(error)
            return
        }
        let reasons = "another key, other associated data, a changed byte, or a part is missing"
        guard isPartWritten else {
            self.init(.authFailed, "it does not open: \(reasons)")
            return
        }
        self.init(
            .authFailed,
            "it does not open to its end: \(reasons); what was written is only a part of the file",
            hint: "throw that part away; with -o a file appears only when all of it has opened")
    }

    init(_ error: StreamSealError) {
        self =
            switch error {
            case .associatedDataTooLong: Failure(.limit, "associated data has at most 32768 bytes")
            case .tooManySegments: Failure(.limit, "a file has at most 4294967296 segments")
            }
    }
}
