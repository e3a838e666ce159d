internal import ArgumentParser
internal import CloserKeys
internal import CloserTink
internal import CloserVault
internal import CloserWire

struct AnswerCommand: CommandGroup {
    static let configuration = CommandConfiguration(
        commandName: "answer", abstract: "Seal, release and reveal answers.",
        subcommands: [
            Seal.self, Release.self, Reveal.self, Open.self, Verify.self, Status.self, Canonical.self,
        ])

    enum Profile: String, CaseIterable, ExpressibleByArgument {
        case hardened, compat

        fileprivate var ours: AnswerProfile { self == .hardened ? .hardened : .compat }
    }

    struct Seal: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Seal your answer, a JSON object, and print the document for the app's server.")

        @Argument(
            help: ArgumentHelp("The answer; standard input by default.", valueName: "file"),
            completion: .file())
        var file: String?
        @Option(help: "hardened binds it to its author and place, and hides its length; compat does neither.")
        var profile = Profile.hardened
        @Flag(help: "Replace your answer, as long as it is not released and theirs not revealed.")
        var replace = false
        @OptionGroup var answer: AnswerOptions
        @OptionGroup var output: OutputOptions

        func run() throws {
            var inputs = Inputs()
            let (vault, name) = try answer.open(&inputs)
            guard let place = name.place else {
                throw Failure(.usage, "missing expected argument '--place <place>'")
            }
            let bytes = try inputs.bytes(file, maximumByteCount: Inputs.maximumDocumentByteCount)
            let result = try output.prepare(.json, inputs: inputs)
            let sealed = try vault.seal(
                answer: bytes, to: name.question, at: place, of: name.couple, profile: profile.ours,
                replacing: replace)
            let document = try sealed.document.bytes
            try result.deliver(document.span, named: "answer", details: AnswerSummary(sealed).members)
        }
    }

    struct Release: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Hand your answer's key to the partner, whose answer is pinned.")

        @Option(help: ArgumentHelp("The partner's public key, a pub:v1: token.", valueName: "token"))
        var partnerKey: String
        @Flag(help: "Refuse a partner whose key was never compared.") var requireVerified = false
        @OptionGroup var partner: PartnerOptions
        @OptionGroup var answer: AnswerOptions
        @OptionGroup var output: OutputOptions

        func run() throws {
            var inputs = Inputs()
            let key = try PublicKeyToken(parsing: partnerKey.utf8)
            let theirs = try partner.read(&inputs)
            let (vault, name) = try answer.open(&inputs)
            let result = try output.prepare(.json, inputs: inputs)
            let (document, isVerified) = try vault.release(
                name, to: theirs, key: key, requiringVerified: requireVerified)
            if !isVerified {
                Messages.note("warning: nobody has compared \(theirs.partner.text)'s key; it came on trust")
            }
            let bytes = document.bytes
            try result.deliver(
                bytes.span, named: "releaseKey",
                details: [.init("partnerKeyVerified", .bool(isVerified))])
        }
    }

    struct Reveal: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Open the partner's answer, check all of it, and print it.")

        @Option(
            help: ArgumentHelp("What the partner released to this device.", valueName: "file"),
            completion: .file())
        var releaseKey: String?
        @Flag(help: "Take an answer that nothing proves to be the partner's.")
        var allowUnauthenticated = false
        @OptionGroup var partner: PartnerOptions
        @OptionGroup var answer: AnswerOptions
        @OptionGroup var output: OutputOptions

        func run() throws {
            var inputs = Inputs()
            let theirs = try partner.read(&inputs)
            let keybox = try releaseKey.map { try inputs.releaseKey($0) }
            let (vault, name) = try answer.open(&inputs)
            let result = try output.prepare(.payload, inputs: inputs)
            let (revealed, authenticity) = try vault.reveal(
                name, of: theirs, with: keybox, allowingUnauthenticated: allowUnauthenticated)
            if authenticity == .unauthenticated {
                Messages.note("warning: nothing proves who wrote this answer")
            }
            try result.deliver(
                revealed.payload.span, named: "payload",
                details: revealed.details(authenticity: authenticity.rawValue))
        }
    }

    struct Status: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Say where a question stands, or print your answer's document again.")

        @Flag(help: "Print the document for the app's server again.") var document = false
        @OptionGroup var answer: AnswerOptions
        @OptionGroup var output: OutputOptions

        func run() throws {
            var inputs = Inputs()
            let (vault, name) = try answer.open(&inputs)
            do {
                let sealed = try vault.answer(name)
                let summary = AnswerSummary(sealed)
                guard document else {
                    return try output.report(
                        summary.lines, json: .object(summary.members), inputs: inputs)
                }
                let bytes = try sealed.document.bytes
                try output.deliver(
                    bytes.span, .json, named: "answer", details: summary.members, inputs: inputs)
            } catch AnswerError.notSealed where !document {
                try output.report(
                    "state: unanswered",
                    json: ["questionId": .string(name.question.text), "state": "unanswered"], inputs: inputs)
            }
        }
    }
}

/// Which answer of ours, and in which vault.
struct AnswerOptions: ParsableArguments {
    @OptionGroup var couple: CoupleOptions
    @Option(help: ArgumentHelp("The question.", valueName: "id")) var question: String
    @Option(
        help: ArgumentHelp(
            "Where it belongs: daily:YYYY-MM-DD or thread:ID. After sealing it may be left out while only one answer has the question.",
            valueName: "place"))
    var place: String?

    func open(_ inputs: inout Inputs) throws -> (Vault, AnswerName) {
        let question = try Identifier(parsing: question)
        let place = try place.map { try AnswerPlace(parsing: $0) }
        let (vault, id) = try couple.open(&inputs)
        return (vault, AnswerName(couple: id, question: question, place: place))
    }
}

/// Who the partner is, and what the server shows of them.
struct PartnerOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The partner's user id.", valueName: "id")) var partner: String
    @Option(
        help: ArgumentHelp("The partner's answer, as the server stores it.", valueName: "file"),
        completion: .file())
    var partnerAnswer: String

    func read(_ inputs: inout Inputs) throws -> PartnerAnswer {
        let partner = try Identifier(parsing: partner)
        return PartnerAnswer(of: partner, try inputs.answer(partnerAnswer))
    }
}

extension Inputs {
    mutating func answer(_ path: String?) throws -> AnswerDocument {
        try document(path, "answer") { (bytes) throws(DocumentError) in try AnswerDocument(parsing: bytes) }
    }

    mutating func releaseKey(_ path: String?) throws -> ReleaseKeyDocument {
        try document(path, "release-key") { (bytes) throws(DocumentError) in
            try ReleaseKeyDocument(parsing: bytes)
        }
    }
}

/// Where an answer of ours stands.
struct AnswerSummary {
    let members: [JSONValue.Member]

    init(_ answer: StoredAnswer) {
        let state =
            answer.isInConflict
            ? "conflict" : answer.isRevealed ? "revealed" : answer.isReleased ? "released" : "sealed"
        members = [
            .init("questionId", .string(answer.question.text)), .init("place", .string(answer.place.text)),
            .init("state", .string(state)), .init("released", .bool(answer.isReleased)),
            .init("revealed", .bool(answer.isRevealed)), .init("pinned", .bool(answer.isPinned)),
            .init("conflict", .bool(answer.isInConflict)),
            .init("commitmentHash", .string(answer.commitment.description)),
        ]
    }

    var lines: String {
        members.map { member in
            "\(member.name): \(member.value.string ?? String(decoding: member.value.bytes, as: UTF8.self))"
        }.joined(separator: "\n")
    }
}

extension RevealedAnswer {
    /// What `--json` tells besides the payload.
    func details(authenticity: String) -> [JSONValue.Member] {
        [
            .init("authenticity", .string(authenticity)),
            .init("place", place.map { .string($0.text) } ?? .null),
            .init("commitmentHash", .string(commitment.description)),
        ]
    }
}
