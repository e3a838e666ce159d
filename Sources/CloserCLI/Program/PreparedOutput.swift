internal import CloserFiles
internal import CloserPrimitives
internal import CloserWire

/// An output that is open and waits for its result.
struct PreparedOutput: ~Copyable {
    let options: OutputOptions
    let nature: Nature
    /// Nil for standard output.
    var file: SafeFile?

    consuming func deliver(_ bytes: Span<UInt8>, named name: String, details: [JSONValue.Member] = []) throws
    {
        try write(bytes, named: name, details: details)
        try finish(details: details)
    }

    consuming func deliver(_ bytes: [UInt8], named name: String) throws {
        try deliver(bytes.span, named: name)
    }

    consuming func deliver(
        _ secret: borrowing SecretBytes, named name: String, details: [JSONValue.Member] = []
    ) throws {
        try secret.withBytes { try write($0, named: name, details: details) }
        try finish(details: details)
    }

    /// Gives text of ours, or its JSON; nothing at all for an empty text.
    consuming func report(_ text: String, json object: @autoclosure () -> JSONValue) throws {
        let bytes = options.json ? object().printableBytes : Array(text.utf8)
        let nature: Nature = bytes.isEmpty ? .verbatim : .line
        guard let file = file.take() else {
            return try options.write(bytes.span, nature, to: .standardOutput)
        }
        try options.write(bytes.span, nature, into: file)
        try file.commit()
    }

    private func write(_ bytes: Span<UInt8>, named name: String, details: [JSONValue.Member]) throws {
        switch file {
        case .some(let file): try options.write(bytes, nature, into: file)
        case .none where options.json:
            try options.print(.object([try options.member(name, bytes, nature)] + details))
        case .none:
            try options.refuseOnTerminal(bytes, nature)
            try options.write(bytes, nature, to: .standardOutput)
        }
    }

    private consuming func finish(details: [JSONValue.Member]) throws {
        guard let file = file.take() else { return }
        try file.commit()
        let path = JSONValue.Member("output", .string(options.output ?? ""))
        if options.json { try options.print(.object(details + [path])) }
    }
}
