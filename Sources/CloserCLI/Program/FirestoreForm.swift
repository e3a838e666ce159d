internal import CloserKeys
internal import CloserWire

// What an app's server answers where Firestore's REST interface is asked for a document of ours.

extension FileKind {
    /// Makes the document that the apps' server stores of what Firestore's REST interface answers.
    static let conversionFromFirestore =
        "jq '.fields | map_values(if .integerValue then .integerValue | tonumber else .[] end)'"

    private static let firestoreTypes: Set = ["stringValue", "integerValue", "booleanValue", "mapValue"]

    /// `{"fields":{"epoch":{"integerValue":"2"}}}`: each value is in an object that names its type.
    static func isFirestore(_ text: Span<UInt8>) -> Bool {
        var (scanner, isTyped) = (JSONScanner(), false)
        try? scanner.object(in: text) { (scanner, name) throws(JSONScanner.SyntaxError) in
            guard name == "fields", case .object = try scanner.kind(in: text) else {
                return _ = try scanner.skip(in: text)
            }
            try scanner.object(in: text) { (scanner, _) throws(JSONScanner.SyntaxError) in
                let value = text.extracting(try scanner.skip(in: text))
                isTyped = isTyped || !DocumentKind.names(in: value, among: firestoreTypes).isEmpty
            }
        }
        return isTyped
    }
}
