import CloserPrimitives
import CloserTink
import CloserWire
import TestSupport
import Testing

@Suite("Keysets in Tink's JSON")
struct JSONKeysetTests {
    private static let value = "GiAAAQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHw=="
    private static let tink = "type.googleapis.com/google.crypto.tink"
    private static let text = """
        {"primaryKeyId":168496141,"key":[{"keyData":{"typeUrl":"\(tink).AesGcmKey",\
        "value":"\(value)","keyMaterialType":"SYMMETRIC"},"status":"ENABLED","keyId":168496141,\
        "outputPrefixType":"TINK"}]}
        """

    private func read(_ text: String) throws -> Keyset {
        try InsecureCleartextKeyset.read(SecretBytes(testOnly: Array(text.utf8)))
    }

    @Test("the golden key, from JSON to binary and back")
    func golden() throws {
        let keyset = try read(Self.text)
        let binary = InsecureCleartextKeyset.binary(keyset).testOnlyBytes()
        #expect(binary == TestData.golden.hex("coupleKeyset.binaryHex"))
        let json = InsecureCleartextKeyset.json(keyset).testOnlyBytes()
        #expect(String(decoding: json, as: UTF8.self) == Self.text)
    }

    @Test("white space, order and escapes do not matter")
    func spelling() throws {
        let escaped = Self.text.replacing("==", with: "\\u003d\\u003D").replacing(
            "crypto.tink", with: "crypto\\u002etink"
        )
        .replacing(",", with: " ,\n ")
        let binary = InsecureCleartextKeyset.binary(try read("\n " + escaped)).testOnlyBytes()
        #expect(binary == TestData.golden.hex("coupleKeyset.binaryHex"))
    }

    @Test(
        "each fault",
        arguments: [
            ("\"TINK\"", "\"UNKNOWN_PREFIX\"", KeysetError.unknownPrefix(0)),
            ("ENABLED", "UNKNOWN_STATUS", .unknownStatus(0)),
            ("ENABLED", "DISABLED", .primaryNotEnabled(168_496_141)),
            ("ENABLED", "DESTROYED", .primaryNotEnabled(168_496_141)),
            ("SYMMETRIC", "ASYMMETRIC_PRIVATE", .wrongMaterialType(2)),
            ("SYMMETRIC", "REMOTE", .wrongMaterialType(4)),
            ("AesGcmKey", "AesEaxKey", .unsupportedKeyType("\(tink).AesEaxKey", id: 168_496_141)),
            (
                "AesGcmKey", "AesGcm\u{212a}ey",
                .unsupportedKeyType("\(tink).AesGcm\u{212a}ey", id: 168_496_141)
            ),
            ("{\"primaryKeyId\":168496141", "{\"primaryKeyId\":1", .primaryMissing(1)),
            ("\"key\":[", "\"key\":[],\"key\":[", .malformed), ("]}", "]}}", .malformed),
            ("\"TINK\"}]", "\"TINK\"},]", .malformed),
        ])
    func faults(_ old: String, _ new: String, _ expected: KeysetError) {
        #expect(throws: expected) { try read(Self.text.replacing(old, with: new)) }
    }

    private static let prefixes = "is not one of TINK, LEGACY, RAW, CRUNCHY"
    private static let statuses = "one of ENABLED, DISABLED, DESTROYED"
    private static let noID = "must be a whole number from 0 to 4294967295"

    @Test(
        "what other implementations of Tink take, or a hand mistypes, is named by its member",
        arguments: [
            ("\"TINK\"", "\"tink\"", "key[0].outputPrefixType", prefixes),
            ("\"TINK\"", "\"WITH_ID_REQUIREMENT\"", "key[0].outputPrefixType", prefixes),
            ("\"TINK\"", "\"TIN\u{212a}\"", "key[0].outputPrefixType", prefixes),
            ("\"ENABLED\"", "\"enabled\"", "key[0].status", "is not \(statuses)"),
            ("\"ENABLED\"", "1", "key[0].status", "is a number, not \(statuses)"),
            ("\"status\":\"ENABLED\",", "", "key[0].status", "is missing"),
            (",\"keyMaterialType\":\"SYMMETRIC\"", "", "key[0].keyData.keyMaterialType", "is missing"),
            ("==", "", "key[0].keyData.value", "lacks its base64 padding"),
            ("GiAA", "Gi-_", "key[0].keyData.value", "is base64url instead of standard base64"),
            ("GiAA", "Gi*A", "key[0].keyData.value", "is not standard base64"),
            ("GiAA", "GiA ", "key[0].keyData.value", "is not standard base64"),
            ("\"\(value)\"", "7", "key[0].keyData.value", "is a number, not a text"),
            ("\"keyId\":168496141", "\"keyId\":\"168496141\"", "key[0].keyId", "is a text, not a number"),
            (
                "Id\":168496141,\"key\"", "Id\":\"168496141\",\"key\"", "primaryKeyId",
                "is a text, not a number"
            ),
            ("\"keyId\":168496141", "\"keyId\":-1", "key[0].keyId", noID),
            ("\"keyId\":168496141", "\"keyId\":4294967296", "key[0].keyId", noID),
            ("\"keyId\":168496141", "\"keyId\":168496141000000000000", "key[0].keyId", noID),
            ("\"keyId\":168496141", "\"keyId\":168496141.0", "key[0].keyId", noID),
            ("\"keyId\":168496141", "\"keyId\":1.5", "key[0].keyId", noID),
            ("\"keyId\":168496141", "\"keyId\":0.168496141e9", "key[0].keyId", noID),
            ("\"keyId\":168496141", "\"keyId\":null", "key[0].keyId", "is not a number"),
            ("primaryKeyId", "primary_key_id", "primary_key_id", "must be spelled primaryKeyId"),
            ("\"keyId\"", "\"key_id\"", "key[0].key_id", "must be spelled keyId"),
            ("typeUrl", "type_url", "key[0].keyData.type_url", "must be spelled typeUrl"),
            ("\"status\"", "\"extra\":1,\"status\"", "key[0]", "has a member that is unknown to Tink"),
            ("primaryKeyId", "primary\u{212a}eyId", "this keyset", "has a member that is unknown to Tink"),
            ("\"keyId\":", "\"\u{212a}eyId\":", "key[0]", "has a member that is unknown to Tink"),
            ("\"keyData\":{", "\"keyData\":7,\"x\":{", "key[0].keyData", "is a number, not an object"),
            ("\"key\":[", "\"key\":[[],", "key[0]", "is not an object"),
            ("\"key\":[", "\"key\":{},\"keys\":[", "key", "is not an array"),
        ])
    func faultyMembers(_ old: String, _ new: String, _ member: String, _ fault: String) {
        let text = Self.text.replacing(old, with: new)
        #expect(throws: KeysetError.faultyMember(member, fault: fault)) { try read(text) }
    }

    @Test("the first fault is named, whatever follows")
    func firstFault() {
        let text = Self.text.replacing("\"ENABLED\"", with: "1").replacing("==", with: "")
        #expect(throws: KeysetError.faultyMember("key[0].status", fault: "is a number, not \(Self.statuses)"))
        {
            try read(text)
        }
    }

    @Test("a keyset without keys is one that lacks them", arguments: ["", ",\"key\":[]"])
    func noKeys(_ list: String) {
        #expect(throws: KeysetError.empty) { try read("{\"primaryKeyId\":1\(list)}") }
    }

    @Test(
        "JSON of another kind is no keyset",
        arguments: ["{}", "{\"x\":1}", "{\"key\":\"x\"}", "{\"key\":1,\"y\":[]}", "{\"keyId\":1}"])
    func otherJSON(_ text: String) { #expect(throws: KeysetError.malformed) { try read(text) } }

    @Test("more than 32 KiB, and more than 32 keys")
    func limits() throws {
        #expect(throws: KeysetError.tooLarge(maximumByteCount: 32_768)) {
            try read(Self.text + String(repeating: " ", count: 32_768))
        }
        let key = Self.text.dropFirst("{\"primaryKeyId\":168496141,\"key\":[".count).dropLast(2)
        let keys = (0..<33).map {
            key.replacing("\"keyId\":168496141", with: "\"keyId\":\($0 + 168_496_141)")
        }
        #expect(throws: KeysetError.tooManyKeys(maximum: 32)) {
            try read("{\"primaryKeyId\":168496141,\"key\":[\(keys.joined(separator: ","))]}")
        }
    }

    @Test("no truncation is a keyset") func truncations() {
        for count in 0..<Self.text.count {
            #expect(throws: KeysetError.self) { try read(String(Self.text.prefix(count))) }
        }
    }

    @Test(
        "a name is compared as bytes: a Kelvin sign is no K",
        arguments: [
            ("AesGcmKey", "AesGcm\u{212a}ey"), ("TINK", "TIN\u{212a}"),
            ("primaryKeyId", "primary\u{212a}eyId"),
            ("crypto.tink", "crypto.tin\u{212a}"), ("\"keyId\"", "\"\u{212a}eyId\""),
        ])
    func canonicalEquivalence(_ old: String, _ new: String) {
        #expect(throws: KeysetError.self) { try read(Self.text.replacing(old, with: new)) }
    }

    @Test("an id is an integer literal", arguments: ["168496141.0", "1.68496141e8", "-0", "+1"])
    func idLiteral(_ id: String) {
        let isJSON = id != "+1"
        #expect(throws: isJSON ? KeysetError.faultyMember("key[0].keyId", fault: Self.noID) : .malformed) {
            try read(Self.text.replacing("\"keyId\":168496141", with: "\"keyId\":\(id)"))
        }
    }

    @Test("every shape of entry goes to JSON and back: disabled, destroyed with and without its key, id 0")
    func everyShape() throws {
        let destroyed = ",{\"status\":\"DESTROYED\",\"keyId\":7,\"outputPrefixType\":\"RAW\"}]}"
        let withZero =
            Self.text.dropLast(2)
            + ",{\"keyData\":{\"typeUrl\":\"type.googleapis.com/google.crypto.tink.AesGcmKey\","
            + "\"value\":\"\(Self.value)\",\"keyMaterialType\":\"SYMMETRIC\"},\"status\":\"DISABLED\",\"outputPrefixType\":\"TINK\"}"
        let keyset = try read(withZero + destroyed)
        #expect(keyset.entries.map(\.status) == [.enabled, .disabled, .destroyed])
        #expect(keyset.entries.map(\.id) == [168_496_141, 0, 7])
        #expect(keyset.entries.map(\.typeName) == ["aes256-gcm", "aes256-gcm", "destroyed"])
        let json = try InsecureCleartextKeyset.read(json: InsecureCleartextKeyset.json(keyset))
        let (first, second) = (
            InsecureCleartextKeyset.binary(keyset).testOnlyBytes(),
            InsecureCleartextKeyset.binary(json).testOnlyBytes()
        )
        #expect(first == second)
        #expect(throws: KeysetError.faultyMember("key[2].keyData", fault: "is missing")) {
            try read(withZero + destroyed.replacing("DESTROYED", with: "DISABLED"))
        }
    }

    @Test("exactly 32 KiB and exactly 32 keys are read")
    func atTheLimits() throws {
        let padded = Self.text + String(repeating: " ", count: 32_768 - Self.text.utf8.count)
        #expect(try read(padded).entries.count == 1)
        let key = Self.text.dropFirst("{\"primaryKeyId\":168496141,\"key\":[".count).dropLast(2)
        let keys = (0..<32).map {
            key.replacing("\"keyId\":168496141", with: "\"keyId\":\($0 + 168_496_141)")
        }
        let full = try read("{\"primaryKeyId\":168496141,\"key\":[\(keys.joined(separator: ","))]}")
        #expect(full.entries.count == 32)
    }
}
