internal import CloserVectors

/// Files of vectors.
enum VectorFiles {
    static func read(_ bytes: [UInt8]) {
        guard let file = try? VectorFile(name: "fuzz", parsing: bytes) else { return }
        let report = Report(verifying: [file])
        for format in Report.Format.allCases { _ = report.text(format) }
    }
}
