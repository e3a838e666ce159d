internal import CloserKeys
internal import CloserWire

// Many documents in one run. Each line has a document, its path, its writer, what it replaces, and its couple. The result has the verdict
// in the document's place.

extension BatchOptions {
    func check(
        _ file: String?, _ terms: DocumentTerms, _ output: OutputOptions, inputs: inout Inputs
    ) throws {
        let broken = LineCount()
        let shape = BatchShape(
            consumed: [.document, .previous, .couple], produced: [.document, .valid, .broken],
            takesBareLine: false,
            isSecret: false)
        try run(file, shape, output, inputs: &inputs) { _ in
            { line, result in
                let document = try line.value(.document)
                let verdict = try line.terms(terms).verdict(on: document.span)
                if !verdict.broken.isEmpty { broken.add() }
                result.append(verdict.members)
            }
        }
        guard broken.value > 0 else { return }
        throw CLIError.reported("documents that break rules: \(broken.value)")
    }
}

extension BatchLine {
    /// The terms with what the line says. It is a write if the line says who writes.
    fileprivate func terms(_ terms: DocumentTerms) throws -> DocumentTerms {
        var terms = terms
        terms.refusal = .malformed
        terms.path = try optional(.path).map { try DocumentPath(parsing: $0) }
        terms.writer = try has(.writer) ? writer() : nil
        guard terms.writer != nil || !has(.previous) else {
            throw CLIError(.malformed, "this line has previous, and lacks the member as: who writes?")
        }
        if has(.previous), try !isNull(.previous) { terms.previous = try value(.previous) }
        if has(.couple) {
            terms.couple = try document(.couple, "couple") { (bytes) throws(DocumentError) in
                try CoupleDocument(parsing: bytes)
            }
        }
        guard !terms.isPatch || terms.previous != nil else {
            throw CLIError(.malformed, "this line has no member previous, which --patch needs")
        }
        return terms
    }

    /// A user, or `$server`. Null is nobody, as a request without a user is.
    private func writer() throws -> DocumentWrite.Writer {
        guard let text = try optional(.writer) else { return .nobody }
        return text == "$server" ? .server : .user(try UserID(parsing: text))
    }

    private func optional(_ name: JSONLine.Name) throws -> String? {
        guard has(name), try !isNull(name) else { return nil }
        return String(decoding: try text(name), as: UTF8.self)
    }

    private func isNull(_ name: JSONLine.Name) throws -> Bool { try value(name) == Array("null".utf8) }
}

extension JSONLine.Name {
    fileprivate static let document = Self("document")
    fileprivate static let previous = Self("previous")
    fileprivate static let couple = Self("couple")
    fileprivate static let path = Self("path")
    fileprivate static let writer = Self("as")
    fileprivate static let valid = Self("valid")
    fileprivate static let broken = Self("broken")
}
