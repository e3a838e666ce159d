internal import CloserWire

/// One of Wycheproof's own schemas that our primitives can be asked, with what differs from our frame.
///
/// A group whose sizes, curve or algorithm is none of ours is passed over by name, and counted.
enum WycheproofSchema: String {
    case aead, xdhComp = "xdh_comp", ecdhPoint = "ecdh_ecpoint", hkdf, mac

    /// Takes `hkdf_test_schema.json`, `xdh_comp_schema_v1.json` and the like.
    init?(schema: String) {
        let name = schema.split(separator: ".").first?.replacing("_v1", with: "") ?? ""
        guard name.hasSuffix("_schema"), schema.hasSuffix(".json") else { return nil }
        self.init(rawValue: String(name.dropLast("_schema".count).replacing("_test", with: "")))
    }

    /// What a file may call the algorithm.
    var algorithms: [String] {
        switch self {
        case .aead: ["AES-GCM"]
        case .xdhComp: ["XDH", "X25519"]
        case .ecdhPoint: ["ECDH"]
        case .hkdf: ["HKDF-SHA-256"]
        case .mac: ["HMACSHA256"]
        }
    }

    private var groupType: String {
        switch self {
        case .aead: "AeadTest"
        case .xdhComp: "XdhComp"
        case .ecdhPoint: "EcdhEcpointTest"
        case .hkdf: "HkdfTest"
        case .mac: "MacTest"
        }
    }

    private var groupMembers: String {
        switch self {
        case .aead: "keySize ivSize tagSize"
        case .xdhComp: "curve"
        case .ecdhPoint: "curve encoding"
        case .hkdf: "keySize"
        case .mac: "keySize tagSize"
        }
    }

    /// The members of a test that go in, and behind them those that must come out.
    private var testMembers: (input: String, output: String) {
        switch self {
        case .aead: ("key iv aad msg", "ct tag")
        case .xdhComp, .ecdhPoint: ("public private", "shared")
        case .hkdf: ("ikm salt info size", "okm")
        case .mac: ("key msg", "tag")
        }
    }

    /// The operation of ours that answers.
    private var operation: String { "wycheproof.\(rawValue)" }

    func cases(of group: FrameObject) throws(VectorFileError) -> [VectorCase] {
        guard try group.text("type") == groupType else { throw .wrong("type", group.place) }
        try group.check(MemberName.list("type source? tests \(groupMembers)"))
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
        let (input, output) = (MemberName.list(testMembers.input), MemberName.list(testMembers.output))
        try test.check(MemberName.list("tcId comment flags result") + input + output)
        // A box is opened and a tag is checked: there what comes out of making them goes in, too.
        let given = self == .aead || self == .mac ? input + output : input
        return VectorCase(
            operation: operation, id: try test.count("tcId"), comment: try test.text("comment"),
            flags: try test.texts("flags"), input: test.picking(given),
            expectation: try expectation(test, .object(test.picking(output))), obstacle: obstacle)
    }

    private func expectation(
        _ test: FrameObject, _ output: JSONValue
    ) throws(VectorFileError) -> Expectation {
        // RFC 7748 §6.1 lets an implementation accept it; ours must never.
        if self == .xdhComp, try isZero(test.text("shared")) { return .refusal }
        switch try test.text("result") {
        case "valid": return .output(output)
        case "invalid": return .refusal
        case "acceptable": return .outputOrRefusal(output)
        default: throw .wrong("result", test.place)
        }
    }

    private func isZero(_ hex: String) -> Bool { hex.utf8.allSatisfy { $0 == UInt8(ascii: "0") } }

    /// Why our primitives cannot be asked this group; nil if they can.
    private func obstacle(of group: FrameObject) throws(VectorFileError) -> String? {
        let sizes: [(name: String, ours: [Int])]
        switch self {
        case .aead: sizes = [("keySize", [128, 256]), ("ivSize", [96]), ("tagSize", [128])]
        case .mac: sizes = [("tagSize", [256])]
        case .hkdf: sizes = []
        case .xdhComp: return try other("curve", than: "curve25519", in: group)
        case .ecdhPoint:
            if let curve = try other("curve", than: "secp256r1", in: group) { return curve }
            return try other("encoding", than: "ecpoint", in: group)
        }
        for (name, ours) in sizes {
            let size = try group.count(name)
            guard ours.contains(size) else { return "\(name) \(size)" }
        }
        return nil
    }

    private func other(
        _ name: String, than ours: String, in group: FrameObject
    ) throws(VectorFileError) -> String? {
        let text = try group.text(name)
        return text == ours ? nil : "\(name) \(text)"
    }
}
