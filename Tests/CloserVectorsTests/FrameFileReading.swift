import CloserWire
import TestSupport
import Testing

@testable import CloserVectors

extension FrameFile {
    static func parsed(_ text: String = text) throws(VectorFileError) -> VectorFile {
        try VectorFile(name: "small.json", parsing: Array(text.utf8))
    }

    /// What our own implementation makes of it.
    static func report(_ text: String = text) throws -> Report {
        var ours = OwnImplementation()
        return Report(files: [Runner.run(try parsed(text), with: &ours)])
    }
}

extension VectorOperation {
    /// One of those that have live cases.
    static func live(_ name: String) throws -> VectorOperation {
        try #require(withLiveCases.first { $0.name == name })
    }
}
