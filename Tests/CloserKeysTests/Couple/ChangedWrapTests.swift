import CloserKeys
import CloserPrimitives
import CloserWire
import TestSupport
import Testing

private let golden = TestData.golden

/// The golden wraps with each of their bits flipped, cut everywhere, and with each byte behind them. What is malformed is so before
/// anything is derived. The rest costs a derivation each, and is a sample; all of it is the same box under AES-256-GCM.
@Suite("Changed wraps")
struct ChangedWrapTests {
    private static let step = Effort.isFull ? 8 : 64

    /// The errors of all changes of a text that is base64, as far as they are tried.
    private func errors(
        of text: String, _ open: (String) throws(UnwrapError) -> Void
    ) throws -> Set<String> {
        try open(text)
        let bytes = Array(text.utf8)
        let flips = (0..<bytes.count * 8).map { bytes.flipping(bit: $0) }
        let cuts = bytes.indices.map { Array(bytes[..<$0]) }
        // Costs are JSON, which may end in a space.
        let extensions = (UInt8.min...UInt8.max).filter { !" \t\r\n".utf8.contains($0) }.map { bytes + [$0] }
        var (met, tried) = (Set<String>(), 0)
        for change in flips + cuts + extensions {
            let change = String(decoding: change, as: UTF8.self)
            // The padding of a wrapped key may be missing.
            if text.hasPrefix(change), text.dropFirst(change.utf8.count).allSatisfy({ $0 == "=" }) {
                continue
            }
            if isDerived(change) {
                tried += 1
                guard tried % Self.step == 1 else { continue }
            }
            do throws(UnwrapError) {
                try open(change)
                Issue.record("taken: \(change)")
            } catch { met.insert("\(error)") }
        }
        return met
    }

    private func isDerived(_ text: String) -> Bool { (try? Base64.standard.decode(text)) != nil }

    private func phrase() throws -> RecoveryPhrase {
        try RecoveryPhrase(typed: SecretBytes(testOnly: Array(golden.text("wrap.phrase").utf8)))
    }

    @Test("the wrapped key, the salt and the costs", arguments: ["wrappedCoupleKey", "kdfSalt", "kdfParams"])
    func wrap(_ member: String) throws {
        let phrase = try phrase()
        let met = try errors(of: golden.text("wrap.document.\(member)")) { (text) throws(UnwrapError) in
            func value(_ name: String) -> String {
                name == member ? text : golden.text("wrap.document.\(name)")
            }
            _ = try KeyWrap(
                wrappedCoupleKey: value("wrappedCoupleKey"), kdfSalt: value("kdfSalt"),
                kdfParams: value("kdfParams")
            ).unwrap(with: phrase)
        }
        let expected: [UnwrapError] =
            member == "kdfParams" ? [.wrongCosts] : [.malformed, .wrongPhrase]
        #expect(met == Set(expected.map { "\($0)" }))
    }

    @Test("the phrase under a code")
    func invitedPhrase() throws {
        let code = try InviteCode(
            parsing: SecretBytes(testOnly: Array(golden.text("phraseUnderCode.code").utf8)))
        let met = try errors(of: golden.text("phraseUnderCode.blob")) { (text) throws(UnwrapError) in
            _ = try InvitedPhrase(text).open(with: code)
        }
        #expect(met == Set([UnwrapError.malformed, .wrongCode].map { "\($0)" }))
    }
}
