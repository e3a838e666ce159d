internal import CloserVectors

/// Files of vectors.
enum VectorFiles {
    static func read(_ bytes: [UInt8]) {
        guard let file = try? VectorFile(name: "fuzz", parsing: bytes) else { return }
        var ours = OwnImplementation()
        let report = Report(files: [Runner.run(file, with: &ours)])
        for format in Report.Format.allCases { _ = report.text(format) }
    }
}
