internal import ArgumentParser
internal import CloserKeys
internal import CloserTink
internal import CloserVault
internal import CloserWire

// What passes between the two people.
extension AnswerCommand {
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
            let released = try vault.release(
                name, to: theirs, key: key, requiringVerified: requireVerified)
            if !released.isPartnerVerified {
                Messages.warn("nobody has compared \(theirs.partner.text)'s key; it came on trust")
            }
            let bytes = released.document.bytes
            try result.deliver(
                bytes.span, named: "releaseKey",
                details: [.init("partnerKeyVerified", .bool(released.isPartnerVerified))])
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
            let revealed = try vault.reveal(
                name, of: theirs, with: keybox, allowingUnauthenticated: allowUnauthenticated)
            if revealed.authenticity == .unauthenticated {
                Messages.warn("nothing proves who wrote this answer")
            }
            try result.deliver(
                revealed.answer.payload.span, named: "payload",
                details: revealed.answer.details(authenticity: revealed.authenticity.rawValue))
        }
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
