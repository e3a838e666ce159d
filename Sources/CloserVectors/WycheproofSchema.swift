internal import CloserWire

/// One of Wycheproof's own schemas that our primitives can be asked, with what differs from our frame.
///
/// A group whose sizes, curve or encoding is none of ours is passed over by name, and counted.
struct WycheproofSchema: Sendable {
    private let name: String
    /// What a file may call the algorithm.
    let algorithms: [String]
    private let groupType: String
    /// The members of a group, each with what we have of it.
    private let parameters: [(name: String, ours: Ours)]
    /// The members of a test that go in.
    private let input: [MemberName]
    /// Those that must come out.
    private let output: [MemberName]
    /// A box is opened and a tag is checked: there what comes out of making them goes in, too.
    private var takesOutput = false
    /// RFC 7748 §6.1 lets an implementation accept a secret that is all zero; ours must never.
    private var refusesZero = false

    private enum Ours { case any, sizes([Int]), text(String) }

    private static let all = [
        WycheproofSchema(
            name: "aead", algorithms: ["AES-GCM"], groupType: "AeadTest",
            parameters: [
                ("keySize", .sizes([128, 256])), ("ivSize", .sizes([96])), ("tagSize", .sizes([128])),
            ], input: MemberName.list("key iv aad msg"), output: MemberName.list("ct tag"),
            takesOutput: true),
        WycheproofSchema(
            name: "xdh_comp", algorithms: ["XDH", "X25519"], groupType: "XdhComp",
            parameters: [("curve", .text("curve25519"))], input: MemberName.list("public private"),
            output: MemberName.list("shared"), refusesZero: true),
        WycheproofSchema(
            name: "ecdh_ecpoint", algorithms: ["ECDH"], groupType: "EcdhEcpointTest",
            parameters: [("curve", .text("secp256r1")), ("encoding", .text("ecpoint"))],
            input: MemberName.list("public private"), output: MemberName.list("shared")),
        WycheproofSchema(
            name: "hkdf", algorithms: ["HKDF-SHA-256"], groupType: "HkdfTest",
            parameters: [("keySize", .any)], input: MemberName.list("ikm salt info size"),
            output: MemberName.list("okm")),
        WycheproofSchema(
            name: "mac", algorithms: ["HMACSHA256"], groupType: "MacTest",
            parameters: [("keySize", .any), ("tagSize", .sizes([256]))],
            input: MemberName.list("key msg"), output: MemberName.list("tag"), takesOutput: true),
    ]

    /// The one that is called `hkdf_test_schema.json`, `xdh_comp_schema_v1.json` and the like; nil for any other.
    static func of(schema: String) -> WycheproofSchema? {
        let name = schema.split(separator: ".").first?.replacing("_v1", with: "") ?? ""
        guard name.hasSuffix("_schema"), schema.hasSuffix(".json") else { return nil }
        let short = name.dropLast("_schema".count).replacing("_test", with: "")
        return all.first { $0.name == short }
    }
}

extension WycheproofSchema {
    func cases(of group: FrameObject) throws(VectorFileError) -> [VectorCase] {
        guard try group.text("type") == groupType else { throw .wrong("type", group.place) }
        try group.check(MemberName.list("type source? tests") + parameters.map { MemberName($0.name) })
        let obstacle = try obstacle(of: group)
        var cases: [VectorCase] = []
        for value in try group.list("tests") {
            cases.append(try vectorCase(try FrameObject(test: value, in: group), obstacle))
        }
        return cases
    }

    private func vectorCase(
        _ test: FrameObject, _ obstacle: String?
    ) throws(VectorFileError) -> VectorCase {
        try test.check(MemberName.list("tcId comment flags result") + input + output)
        return VectorCase(
            operation: "wycheproof.\(name)", id: try test.count("tcId"), comment: try test.text("comment"),
            flags: try test.texts("flags"), input: test.picking(takesOutput ? input + output : input),
            expectation: try expectation(test), obstacle: obstacle)
    }

    private func expectation(_ test: FrameObject) throws(VectorFileError) -> Expectation {
        if refusesZero, try test.text("shared").utf8.allSatisfy({ $0 == UInt8(ascii: "0") }) {
            return .refusal
        }
        let output = JSONValue.object(test.picking(output))
        switch try test.text("result") {
        case "valid": return .output(output)
        case "invalid": return .refusal
        case "acceptable": return .outputOrRefusal(output)
        default: throw .wrong("result", test.place)
        }
    }

    /// Why our primitives cannot be asked this group: the first parameter of which we have another; nil if they can.
    private func obstacle(of group: FrameObject) throws(VectorFileError) -> String? {
        for (name, ours) in parameters {
            switch ours {
            case .any: continue
            case .sizes(let sizes):
                let size = try group.count(name)
                if !sizes.contains(size) { return "\(name) \(size)" }
            case .text(let known):
                let text = try group.text(name)
                if text != known { return "\(name) \(text)" }
            }
        }
        return nil
    }
}
