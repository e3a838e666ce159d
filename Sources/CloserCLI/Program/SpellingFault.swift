internal import CloserKeys
internal import CloserWire

/// What is wrong with the spelling of a token or of another text in base64. Neither its letters nor its bytes are quoted.
struct SpellingFault {
    /// After "this field", for instance.
    let words: String
    let hint: String?

    private init(_ words: String, hint: String? = nil) { (self.words, self.hint) = (words, hint) }

    /// Nil for the right spelling, and for another kind of text.
    init?(_ text: Span<UInt8>, of kind: FileKind) {
        let text = text.extracting(Inputs.textRange(of: text))
        let forms = kind.spellings
        guard let form = forms.first(where: { text.begins(with: $0.prefix) }) ?? forms.first else {
            return nil
        }
        self.init(text, form, among: forms)
    }

    private init?(_ text: Span<UInt8>, _ form: Form, among forms: [Form]) {
        guard let first = text.indices.first.map({ text[$0] }) else { return nil }
        let begins = text.begins(with: form.prefix)
        if let words = TextFault.words(text) {
            self.init(words, hint: TextFault.hint)
        } else if first == UInt8(ascii: "\"") || first == UInt8(ascii: "'") {
            self.init("has quotation marks around it", hint: "take them off: jq -r does")
        } else if begins, let newline = text.indices.first(where: { text[$0].isNewline }) {
            self.init(newline, in: text, form)
        } else if begins {
            self.init(payload: text.extracting(droppingFirst: form.prefix.count), form)
        } else if text.begins(with: form.name), !form.hasOtherVersion(text) {
            let beginnings = forms.map(\.prefixText).joined(separator: " or ")
            self.init("does not begin with \(beginnings)", hint: "copy the whole of it")
        } else {
            return nil
        }
    }

    private init(_ newline: Int, in text: Span<UInt8>, _ form: Form) {
        let rest = text.extracting(droppingFirst: newline)
        let next = rest.extracting(Inputs.textRange(of: rest))
        guard let verb = form.verb, next.begins(with: form.prefix) else {
            self.init("has a line break inside", hint: "write it on one line: tr -d '\\r\\n' does")
            return
        }
        self.init("has another one behind it", hint: "closer-keys \(verb) --jsonl takes one on each line")
    }

    private init?(payload: Span<UInt8>, _ form: Form) {
        let foreign = payload.indices.first { !form.letters.contains(payload[$0]) }
        let letterCount = foreign ?? payload.count
        let paddingCount = payload.count - letterCount
        if let foreign, payload[foreign] != UInt8(ascii: "=") {
            self.init(payload[foreign], at: form.prefix.count + foreign, form)
        } else if paddingCount > 0, form.isURL {
            self.init("has padding, which base64url omits here", hint: "take the = off its end")
        } else if payload.isEmpty || letterCount % 4 == 1 || letterCount < form.minimumCount {
            self.init("is too short: a part of it is missing", hint: "copy the whole of it")
        } else if !form.isURL, letterCount % 4 + paddingCount != 4, letterCount % 4 + paddingCount != 0 {
            self.init(
                paddingCount == 0 ? "lacks its padding" : "has other padding than it must have",
                hint: "fill it up with = to a multiple of four characters")
        } else {
            return nil
        }
    }

    /// A message of FitLink's, whose two members are base64.
    fileprivate static func inFitLink(_ text: Span<UInt8>) -> SpellingFault? {
        if let fault = JSONFault(text) { return SpellingFault(fault.words, hint: fault.hint) }
        guard let value = try? JSONValue(parsing: Array(copying: text)) else { return nil }
        for name in FitLinkMessage.memberNames {
            guard let member = value[name]?.string else {
                return SpellingFault("needs a text as its \(name)")
            }
            guard let fault = SpellingFault(Array(member.utf8).span, of: .fondField) else { continue }
            return SpellingFault("is misspelled: its \(name) \(fault.words)", hint: fault.hint)
        }
        return nil
    }

    private init(_ letter: UInt8, at offset: Int, _ form: Form) {
        let other: [UInt8] = form.isURL ? Array("+/".utf8) : Array("-_".utf8)
        guard !other.contains(letter) else {
            let names =
                form.isURL
                ? ("base64url", "+ or /", "'+/' '-_'")
                : ("standard base64", "- or _", "'-_' '+/'")
            self.init(
                "has \(names.1), which \(names.0) does not have",
                hint: "write it in \(names.0): tr -- \(names.2)")
            return
        }
        self.init(
            "has a character that is none of base64, at byte \(offset + 1)",
            hint: "copy it again, and only it")
    }
}

// MARK: - What is right

extension SpellingFault {
    /// How one kind of text is spelled.
    fileprivate struct Form {
        let prefixText: String
        let isURL: Bool
        var minimumCount = 1
        /// What opens many, one on each line.
        var verb: String?

        var prefix: [UInt8] { Array(prefixText.utf8) }
        /// `enc:` of `enc:v1:`.
        var name: [UInt8] {
            Array(prefix.prefix { $0 != UInt8(ascii: ":") }) + (prefix.isEmpty ? [] : [UInt8(ascii: ":")])
        }
        var letters: Set<UInt8> {
            let both = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
            return Set((both + (isURL ? "-_" : "+/")).utf8)
        }

        /// Whether it is `v` and a number, as of another version.
        func hasOtherVersion(_ text: Span<UInt8>) -> Bool {
            let place = name.count
            return text.count > place + 1 && text[place] == UInt8(ascii: "v")
                && (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(text[place + 1])
        }
    }
}

extension FileKind {
    /// One for each version.
    fileprivate var spellings: [SpellingFault.Form] {
        switch self {
        case .field:
            FieldToken.Form.allCases.map {
                SpellingFault.Form(
                    prefixText: String(decoding: $0.format.prefix, as: UTF8.self), isURL: false,
                    verb: "field open")
            }
        case .sealedAnswer: [SpellingFault.Form(prefixText: "sealed:v1:", isURL: true, minimumCount: 80)]
        case .keybox:
            [
                SpellingFault.Form(
                    prefixText: "keybox:v1:", isURL: true, minimumCount: 120, verb: "keybox open")
            ]
        case .publicKey: [SpellingFault.Form(prefixText: "pub:v1:", isURL: true)]
        case .commitment: [SpellingFault.Form(prefixText: "sha256:", isURL: true, minimumCount: 43)]
        case .fondField: [SpellingFault.Form(prefixText: "", isURL: false)]
        default: []
        }
    }
}

extension UInt8 {
    fileprivate var isNewline: Bool { self == UInt8(ascii: "\n") || self == UInt8(ascii: "\r") }
}

extension CLIError {
    /// A text that is wrongly spelled; nil for any other failure of it.
    init?(misspelled text: Span<UInt8>, _ kind: FileKind) {
        let fault = kind == .fitLinkMessage ? SpellingFault.inFitLink(text) : SpellingFault(text, of: kind)
        guard let fault else { return nil }
        self.init(.malformed, "this \(kind.rawValue) \(fault.words)", hint: fault.hint)
    }
}
