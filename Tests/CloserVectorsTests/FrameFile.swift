import CloserWire

@testable import CloserVectors

/// A small file in the frame, of which a test changes one thing.
enum FrameFile {
    /// Two cases of base64, by RFC 4648 §10.
    static let text = """
        {"algorithm": "Base64", "schema": "base64.json", "numberOfTests": 2, "notes": {"Normal": "as it should be"},
         "testGroups": [{"type": "base64.decode", "source": {"name": "RFC 4648", "version": "2006"}, "variant": "standard",
          "tests": [
           {"tcId": 1, "comment": "foob", "flags": ["Normal"], "text": "Zm9vYg==", "result": "valid", "output": {"bytes": "666f6f62"}},
           {"tcId": 2, "comment": "no padding", "flags": ["Normal"], "text": "Zm9vYg", "result": "invalid", "error": "malformed"}]}]}
        """

    static func parsed(_ text: String = text) throws(VectorFileError) -> VectorFile {
        try VectorFile(name: "small.json", parsing: Array(text.utf8))
    }

    /// The text with every `old` replaced; a test that changed nothing would prove nothing.
    static func changing(_ old: String, to new: String) -> String {
        precondition(text.contains(old), "the file has no \(old)")
        return text.replacing(old, with: new)
    }

    /// What our own implementation makes of it.
    static func report(_ text: String = text) throws -> Report {
        var ours = OwnImplementation()
        return Report(files: [Runner.run(try parsed(text), with: &ours)])
    }
}
