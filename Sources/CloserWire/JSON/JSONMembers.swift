/// Members of an object as they will be written, one after the other. A batch keeps one and empties it for each line.
package struct JSONMembers: ~Copyable {
    private var bytes: [UInt8] = []

    package init() {}

    package var isEmpty: Bool { bytes.isEmpty }

    package mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

    package mutating func append(_ member: JSONValue.Member) {
        begin(JSONLine.Name(member.name))
        bytes += member.value.printableBytes
    }

    package mutating func append(_ members: [JSONValue.Member]) {
        for member in members { append(member) }
    }

    /// Appends a text that JSON writes as it is, such as base64: at most `count` bytes, which `body` writes.
    package mutating func append<Failure: Error>(
        _ name: JSONLine.Name, plain count: Int, _ body: (inout OutputSpan<UInt8>) throws(Failure) -> Void
    ) throws(Failure) {
        begin(name)
        try bytes.append(addingCapacity: count + 2) { (output) throws(Failure) in
            output.append(UInt8(ascii: "\""))
            try body(&output)
            output.append(UInt8(ascii: "\""))
        }
    }

    /// Appends a text of any characters. False, and nothing is appended, if its bytes are no UTF-8.
    package mutating func append(_ name: JSONLine.Name, text: Span<UInt8>) -> Bool {
        guard !text.isPlain else {
            append(name, plain: text.count) { $0.append(text) }
            return true
        }
        guard let string = String(utf8: Array(copying: text)) else { return false }
        begin(name)
        bytes += JSONValue.string(string).printableBytes
        return true
    }

    /// Appends what was written to an output.
    package borrowing func append(to output: inout [UInt8]) { output += bytes }

    private mutating func begin(_ name: JSONLine.Name) {
        bytes.append(UInt8(ascii: bytes.isEmpty ? "\"" : ","))
        if bytes.count > 1 { bytes.append(UInt8(ascii: "\"")) }
        bytes += name.bytes
        bytes.append(UInt8(ascii: "\""))
        bytes.append(UInt8(ascii: ":"))
    }
}

extension Span where Element == UInt8 {
    /// Whether JSON writes these bytes as they are, and so do we: printable ASCII that needs no escape.
    fileprivate var isPlain: Bool {
        for index in indices {
            let byte = self[index]
            guard (0x20..<0x7F).contains(byte), byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") else {
                return false
            }
        }
        return true
    }
}
