import CloserKeys
import CloserWire
import Foundation
import TestSupport
import Testing

/// What a phone reads of a couple, and what a server stores, is judged alike. RANDOM_COUPLES=20000 takes more of them.
@Suite("Random couples")
struct RandomCoupleTests {
    private static let count =
        ProcessInfo.processInfo.environment["RANDOM_COUPLES"].flatMap(Int.init) ?? 2000

    /// Right and wrong values of each member, as JSON. A member may be missing.
    private static let values: [(name: String, values: [String])] = [
        ("encryptionVersion", ["0", "1", "2", "2.0", "3", "-1", "1.5", "null", "\"2\"", "1e300", "true"]),
        ("wrappedCoupleKey", ["\"\(String(repeating: "A", count: 56))\"", "\"AAAA\"", "\"\"", "null", "1"]),
        (
            "kdfSalt",
            ["\"AAECAwQFBgcICQoLDA0ODw==\"", "\"AAAAAAAAAAAAAAAAAAAAAA==\"", "\"AAEC\"", "null", "[]"]
        ),
        (
            "kdfParams",
            ["\"argon2id$v=19$m=46080,t=3,p=1\"", "\"argon2id$v=19$m=8,t=3,p=1\"", "\"{}\"", "null", "{}"]
        ),
        (
            "encryptionMigrationUsers",
            [
                "{}", #"{"alice":true}"#, #"{"alice":true,"bob":true}"#, #"{"x y":true}"#, #"{"bob":false}"#,
                #"{"a":true,"b":true,"c":true}"#, #"{"alice":{}}"#, "null", "[]", "\"alice\"",
            ]
        ),
        (
            "userIds",
            [
                #"["alice","bob"]"#, #"["alice"]"#, #"["alice","alice"]"#, #"["alice","bob","eve"]"#,
                #"["alice",1]"#, #"["alice",["bob"]]"#, "null", "{}", "[]",
            ]
        ),
        ("note", ["1", "\"x\"", #"{"deep":[1,null]}"#]),
    ]

    private func broken(_ judge: () throws(DocumentError) -> Void) -> [BrokenRule]? {
        do throws(DocumentError) { try judge() } catch {
            guard case .broken(let rules) = error else { return nil }
            return rules
        }
        return []
    }

    @Test("`check` and the reader tell the same rules of each")
    func agree() throws {
        var (random, right) = (SeededDraws(seed: 46), 0)
        for _ in 0..<Self.count {
            let members = Self.values.compactMap { name, values -> String? in
                // The right value is as likely as all others, or a right couple would be rare.
                let value = Bool.random(using: &random) ? values[0] : values.randomElement(using: &random)
                return Int.random(in: 0..<5, using: &random) == 0 ? nil : value.map { "\"\(name)\":\($0)" }
            }
            let text = Array("{\(members.shuffled(using: &random).joined(separator: ","))}".utf8)
            let checked = try DocumentKind.couple.brokenRules(in: text)
            let read = broken { () throws(DocumentError) in _ = try CoupleDocument(parsing: text) }
            #expect(read == checked, "\(String(decoding: text, as: UTF8.self))")
            right += checked.isEmpty ? 1 : 0
        }
        #expect(right > Self.count / 100 && right < Self.count)
    }
}
