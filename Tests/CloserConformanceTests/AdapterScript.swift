import CloserConformance
import TestSupport

@testable import CloserVectors

/// Programs in shell, and what came of the small file with them.
enum AdapterScript {
    /// A program that reads one line, says what it has, and then does what `script` says.
    static func child(_ script: String, features: String = #"["base64.decode"]"#) -> [String] {
        ["/bin/sh", "-c", "read start; echo '{\"seq\":0,\"features\":\(features)}'; \(script)"]
    }

    /// One that answers each of the lines with `answer`, in which `$n` is the number.
    static func answering(_ answer: String) -> [String] {
        child("n=1; while read line; do echo \"\(answer.replacing("\"", with: "\\\""))\"; n=$((n+1)); done")
    }

    static func report(
        _ command: [String], limit: Duration = .seconds(5), of text: String = FrameFile.text
    ) throws -> Report {
        var program = try Adapter(command, timeLimit: limit)
        defer { program.stop() }
        return Report(files: [Runner.run(try FrameFile.parsed(text), with: &program)])
    }

    static func outcomes(_ command: [String], limit: Duration = .seconds(5)) throws -> [String] {
        try report(command, limit: limit).failures.map(\.outcome.words)
    }
}

extension FrameFile {
    static func parsed(_ text: String = text) throws(VectorFileError) -> VectorFile {
        try VectorFile(name: "small.json", parsing: Array(text.utf8))
    }
}
