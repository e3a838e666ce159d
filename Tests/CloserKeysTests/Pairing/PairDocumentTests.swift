import CloserPrimitives
import CloserWire
import TestSupport
import Testing

@testable import CloserKeys

/// A rule that a changed document breaks.
private struct Fault: Sendable, CustomTestStringConvertible {
    let (document, member): (String, String)
    let value: JSONValue?
    let rule: DocumentRule

    init(_ document: String, _ member: String, _ value: JSONValue?, _ rule: DocumentRule) {
        (self.document, self.member, self.value, self.rule) = (document, member, value, rule)
    }

    var testDescription: String { "\(document).\(member): \(rule)" }
}

private func token(_ name: String, _ bytes: [UInt8]) -> JSONValue {
    .string("\(name):v1:\(Base64.url.encode(bytes))")
}

private let share = GoldenPairing.all[0].value.hex("YaHex")
private let zeros = [UInt8](repeating: 0, count: 32)

private func ofEvery(_ document: String) -> [Fault] {
    let version2 = JSONValue.string("\(document):v2:\(String(repeating: "A", count: 128))")
    return [
        Fault(document, "lookup", nil, .present), Fault(document, "lookup", "7KQ2MI", .lookup),
        Fault(document, "purpose", "device", .purpose), Fault(document, "purpose", nil, .present),
        Fault(document, document, .number(1), .string),
        Fault(
            document, document, token("hold", zeros + zeros + zeros),
            DocumentRule.allCases.first { $0.name == document }),
        Fault(document, document, version2, DocumentRule.allCases.first { $0.name == document }),
    ]
}

private func ofParty(_ document: String) -> [Fault] {
    [
        Fault(document, "userId", "a|b", .identifier),
        Fault(document, "publicKey", "pub:v1:AAAA", .publicKey),
        Fault(document, "x25519PublicKey", .string(Base64.standard.encode(zeros)), .x25519PublicKey),
        Fault(document, "x25519PublicKey", "AAAA", .x25519PublicKey),
    ]
}

private func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }

private let ofOffer: [Fault] =
    [Fault("offer", "coupleId", "", .identifier)]
    + [zeros(16) + zeros, zeros(15) + share, zeros(17) + share, zeros(16) + share.flipping(bit: 255)].map {
        Fault("offer", "offer", token("offer", $0), .offer)
    }

private let ofReply: [Fault] = [
    zeros(64), share + zeros(31), share.flipping(bit: 255) + zeros, share + zeros(33), share + zeros(59),
    share + zeros(16 * 1024 - 31),
].map { Fault("reply", "reply", token("reply", $0), .reply) }

private let ofGrant: [Fault] = [zeros(89), zeros(16 * 1024 + 1)].map {
    Fault("grant", "grant", token("grant", $0), .grant)
}

private let faults =
    ["offer", "reply", "grant"].flatMap(ofEvery) + ["offer", "reply"].flatMap(ofParty) + ofOffer + ofReply
    + ofGrant

extension Fault {
    fileprivate init(_ document: String, _ member: String, _ value: JSONValue?, _ rule: DocumentRule?) {
        guard let rule else { preconditionFailure("no rule has the name \(document)") }
        self.init(document, member, value, rule)
    }
}

@Suite("Documents of a pairing: closer-keys-pairing(7), DOCUMENTS")
struct PairDocumentTests {
    private func parse(_ document: String, _ bytes: [UInt8]) throws(DocumentError) -> [UInt8] {
        switch document {
        case "offer": try PairOffer(parsing: bytes).bytes
        case "reply": try PairReply(parsing: bytes).bytes
        default: try PairGrant(parsing: bytes).bytes
        }
    }

    @Test(
        "a token of a pairing has the bytes of its least parts, and no fewer",
        arguments: [("offer", 48), ("reply", 64), ("grant", 90)])
    func shortest(_ name: String, _ count: Int) throws {
        let formats = ["offer": TokenFormat.offer, "reply": .reply, "grant": .grant]
        let format = try #require(formats[name])
        let bytes = [UInt8](repeating: 1, count: count)
        #expect(try format.payload(of: format.text(of: bytes.span)) == bytes)
        #expect(throws: TokenError.malformed(.tooShort)) {
            _ = try format.text(of: bytes.span.extracting(droppingLast: 1))
        }
    }

    @Test("are read, and written as the same bytes", arguments: GoldenPairing.all)
    func golden(_ pairing: GoldenPairing) throws {
        for document in ["offer", "reply", "grant"] {
            let bytes = pairing.document(document)
            #expect(try parse(document, bytes) == bytes)
            let kind = try #require(DocumentKind(rawValue: "pair-\(document)"))
            #expect(try kind.brokenRules(in: bytes) == [])
            #expect(try DocumentReader(bytes.span).kind() == kind)
            let others = DocumentKind.allCases.filter { $0 != kind }
            for other in others {
                #expect(throws: DocumentCheckError.otherKind(kind)) { try other.brokenRules(in: bytes) }
            }
        }
    }

    @Test("with other members in any order they say the same")
    func unknownMembers() throws {
        for document in ["offer", "reply", "grant"] {
            let bytes = GoldenPairing.all[1].document(document)
            let members = try JSONValue(parsing: bytes).members ?? []
            let changed = JSONValue.object(
                [.init("z", .null)] + members.reversed() + [.init("a", .number(1))])
            #expect(try parse(document, changed.bytes) == bytes)
        }
    }

    @Test("one fault at a time, and the rule that it breaks", arguments: faults)
    fileprivate func fault(_ fault: Fault) throws {
        let members = try JSONValue(parsing: GoldenPairing.all[0].document(fault.document)).members ?? []
        let changed = members.compactMap { member -> JSONValue.Member? in
            guard member.name == fault.member else { return member }
            return fault.value.map { JSONValue.Member(member.name, $0) }
        }
        #expect(throws: DocumentError.broken([BrokenRule(fault.member, fault.rule)])) {
            try parse(fault.document, JSONValue.object(changed).bytes)
        }
    }

    @Test("the longest token that there may be is taken")
    func longest() throws {
        let pairing = GoldenPairing.all[0]
        let reply = share + [UInt8](repeating: 7, count: 16 * 1024 - 32)
        let members = try JSONValue(parsing: pairing.document("reply")).members ?? []
        let changed = members.map { $0.name == "reply" ? .init("reply", token("reply", reply)) : $0 }
        #expect(try PairReply(parsing: JSONValue.object(changed).bytes).hold.count == 16 * 1024 - 64)
        let grant: JSONValue = [
            "lookup": "7KQ2MX", "purpose": "couple",
            "grant": token("grant", [UInt8](repeating: 7, count: 16 * 1024)),
        ]
        #expect(try PairGrant(parsing: grant.bytes).sealed.count == 16 * 1024 - 32)
    }
}
