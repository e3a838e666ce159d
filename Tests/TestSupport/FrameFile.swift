/// A small file of vectors in the frame, of which a test changes one thing.
package enum FrameFile {
    /// Two cases of base64, by RFC 4648 §10.
    package static let text = """
        {"algorithm": "Base64", "schema": "base64.json", "numberOfTests": 2, "notes": {"Normal": "as it should be"},
         "testGroups": [{"type": "base64.decode", "source": {"name": "RFC 4648", "version": "2006"}, "variant": "standard",
          "tests": [
           {"tcId": 1, "comment": "foob", "flags": ["Normal"], "text": "Zm9vYg==", "result": "valid", "output": {"bytes": "666f6f62"}},
           {"tcId": 2, "comment": "no padding", "flags": ["Normal"], "text": "Zm9vYg", "result": "invalid", "error": "malformed"}]}]}
        """

    /// The text with every `old` replaced; a test that changed nothing would prove nothing.
    package static func changing(_ old: String, to new: String) -> String {
        precondition(text.contains(old), "the file has no \(old)")
        return text.replacing(old, with: new)
    }
}
