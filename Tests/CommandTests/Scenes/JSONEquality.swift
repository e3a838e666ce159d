import CloserWire

/// Two values are equal if their canonical forms are.
extension JSONValue: Equatable {
    static func == (ours: JSONValue, theirs: JSONValue) -> Bool {
        ours.canonicalBytes == theirs.canonicalBytes
    }
}
