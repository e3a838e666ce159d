package import CloserWire

/// JSON in canonical form (RFC 8785, JCS): the one spelling of a value, over which commitments and MACs are made.
///
/// An app that stores an answer beside our documents, or compares two of them, compares these bytes.
package struct CanonicalJSON: Equatable, Sendable {
    /// The canonical form, UTF-8, without white space.
    package let bytes: [UInt8]

    /// The text is no JSON that we read: see ``CanonicalJSON/init(of:)``.
    package struct FormatError: Error, Equatable, Sendable {
        let fault: JSONFault
    }

    /// Reads one JSON value of any kind, strictly: UTF-8, no name twice in an object, nothing behind it, at most 16 levels,
    /// and no number beyond a double.
    ///
    /// - Throws: ``FormatError``.
    package init(of json: some Collection<UInt8>) throws(FormatError) {
        let json = Array(json)
        do { bytes = try JSONValue(parsing: json).canonicalBytes } catch {
            throw FormatError(fault: JSONFault(error, in: json.span))
        }
    }
}

extension CanonicalJSON.FormatError: WordedError {
    package var words: ErrorWords { fault.words(of: "this") }
}
