import CloserKeys
import CloserPrimitives
import CloserWire
import TestSupport
import Testing

@testable import CloserVault

/// A vault's key on its way to another device of its user.
@Suite("A link to another device")
struct DeviceLinkTests {
    private let vaults = MemoryVaults()
    private let vault: Vault

    init() throws { vault = try vaults.make("v") }

    private func key(_ byte: UInt8 = 1) -> SecretBytes {
        SecretBytes(copying: [UInt8](repeating: byte, count: 32))
    }

    /// Why a link is not made with this key; nil if it is.
    private func refusal(_ vault: Vault, _ key: borrowing SecretBytes) -> DeviceLink.Failure? {
        do throws(DeviceLink.Failure) { _ = try vault.link(sharing: key) } catch { return error }
        return nil
    }

    /// Why a link does not open; nil if it does.
    private func opening(_ document: [UInt8], _ code: borrowing DeviceLink.Code) -> DeviceLink.Failure? {
        do throws(DeviceLink.Failure) { _ = try DeviceLink.key(from: document, code: code) } catch {
            return error
        }
        return nil
    }

    @Test("brings the key and the version, and stores nothing")
    func brought() throws {
        let before = try vaults.bytes("v")
        let link = try vault.link(sharing: key())
        let typed = try DeviceLink.Code(typed: link.code.text)
        let opened = try DeviceLink.key(from: link.document, code: typed)
        let brought = opened.key.testOnlyBytes()
        #expect(brought == key().testOnlyBytes() && opened.version == vault.version)
        let other = try Vault(
            opening: vaults.storage("v"), unlocking: .key(opened.key), notOlderThan: opened.version)
        #expect(try other.device.userID == vault.device.userID)
        #expect(try vaults.bytes("v") == before)
        #expect(typed.text.count == 34 && typed.symbols.count == 28)
    }

    @Test("shares the key that opens the vault, and no other")
    func otherKey() throws {
        #expect(
            refusal(vault, key(2)) == .vault(.authenticationFailed),
            "a link is made with a key that opens nothing")
        #expect(refusal(vault, SecretBytes(copying: [1])) == .vault(.keyMalformed))
        try vaults.open("v").changeCredential(to: .testOnlyKeyFile(2))
        #expect(refusal(vault, key()) == .vault(.authenticationFailed))
        #expect(refusal(vault, key(2)) == nil)
    }

    @Test("is not made of a vault under a passphrase")
    func passphrase() throws {
        let vault = try Vault.create(
            in: vaults.storage("p"), for: UserID(parsing: "alice"),
            locking: .passphrase(SecretBytes(utf8: "eight words")))
        let refusal = refusal(vault, key())
        #expect(refusal == .passphrase && refusal?.id == "notYet")
    }

    @Test("opens with its own code alone, which a wrong one does not use up")
    func otherCode() throws {
        let link = try vault.link(sharing: key())
        for _ in 0..<3 { #expect(opening(link.document, .random()) == .authenticationFailed) }
        #expect(opening(link.document, link.code) == nil)
    }

    @Test("stays closed if a bit of its document is flipped: of the id, the user, the token or the JSON")
    func flipped() throws {
        let link = try vault.link(sharing: key())
        let refusals = (0..<link.document.count * 8).compactMap { bit in
            opening(link.document.flipping(bit: bit), link.code)
        }
        #expect(refusals.count == link.document.count * 8)
        let id = try #require(link.document.firstRange(of: Array("\(vault.id)".utf8)))
        // Another digit in the place of one: still an id.
        let digit = try #require(
            id.first { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(link.document[$0]) })
        #expect(opening(link.document.flipping(bit: 8 * digit), link.code) == .authenticationFailed)
    }

    @Test("stays closed if a bit of its box is flipped")
    func flippedBox() throws {
        let link = try vault.link(sharing: key())
        let text = try #require(JSONValue(parsing: link.document)["link"]?.string)
        let box = try TokenFormat.link.payload(of: text.utf8)
        #expect(box.count == 120)
        for bit in 0..<box.count * 8 {
            let token = String(
                decoding: try TokenFormat.link.text(of: box.flipping(bit: bit).span), as: UTF8.self)
            let document = String(decoding: link.document, as: UTF8.self).replacing(text, with: token)
            #expect(opening(Array(document.utf8), link.code) == .authenticationFailed, "\(bit)")
        }
    }

    @Test("to an older copy, or to another vault, leads to neither")
    func otherStates() throws {
        let old = try vaults.bytes("v")
        try vaults.open("v").plant(CoupleID(parsing: "couple_1"))
        let link = try vault.link(sharing: key())
        let opened = try DeviceLink.key(from: link.document, code: link.code)
        #expect(opened.version.changeCount == 2)
        vaults.write(old, to: "v")
        #expect(throws: VaultError.rolledBack(path: "v")) {
            try vaults.open("v", notOlderThan: opened.version)
        }
        _ = try vaults.make("w")
        #expect(throws: VaultError.replaced(path: "w")) { try vaults.open("w", notOlderThan: opened.version) }
    }

    @Test("joins the vault that it is of, and that this device remembers, and no other")
    func joined() throws {
        let other = try vaults.make("w").version
        let link = try vault.link(sharing: key())
        let opened = try DeviceLink.key(from: link.document, code: link.code)
        let found = [try open(opened, "v", vault.version), try open(opened, "v", nil)]
        let (elsewhere, remembered) = (try open(opened, "w", nil), try open(opened, "v", other))
        #expect(found == [nil, nil])
        #expect(elsewhere == .replaced(path: "w"), "joined another vault than the link's")
        #expect(remembered == .replaced(path: "v"), "joined another vault than this device remembers")
    }

    /// Why a link does not open the vault of a name; nil if it does.
    private func open(
        _ link: borrowing DeviceLink.Opened, _ name: String, _ known: VaultVersion?
    ) throws -> VaultError? {
        let locked = try vaults.locked(name)
        do throws(VaultError) { _ = try link.open(locked, notOlderThan: known) } catch { return error }
        return nil
    }

    @Test("is made of the newest state, also of one that another process wrote")
    func newest() throws {
        try vaults.open("v").plant(CoupleID(parsing: "couple_1"))
        let link = try vault.link(sharing: key())
        #expect(try DeviceLink.key(from: link.document, code: link.code).version == vaults.open("v").version)
    }

    @Test("a document of another form says what is wrong with it")
    func form() throws {
        let link = try vault.link(sharing: key())
        let text = String(decoding: link.document, as: UTF8.self)
        func refusal(_ text: String) -> DeviceLink.Failure? { opening(Array(text.utf8), link.code) }
        #expect(refusal(" " + text + "\n") == nil)
        #expect(refusal(text.replacing("link:v1:", with: "link:v2:")) == .token(.unsupportedVersion))
        #expect(refusal(text.replacing("link:v1:", with: "grant:v1:")) == .token(.notAToken))
        #expect(refusal(text.replacing("\"}", with: "AAAA\"}")) == .malformed)
        #expect(refusal(text.replacing("userId", with: "user")) == .malformed)
        #expect(refusal(text.replacing("\"alice\"", with: "\"a|b\"")) == .malformed)
        #expect(refusal("[\(text)]") == .malformed && refusal("{}") == .malformed)
        #expect(refusal(text + text) == .malformed)
        #expect(refusal(text.replacing("{", with: "{\"link\":\"\",")) == .malformed)
    }

    @Test("a code is typed as a pairing code is", arguments: ["", "-", " ", "\u{2013}", "\u{A0}"])
    func typed(_ separator: String) throws {
        let symbols = "0123-456O-89AB-CDEF-GHJK-mnpq-RSTv"
        let code = try DeviceLink.Code(typed: SecretBytes(utf8: symbols.replacing("-", with: separator)))
        #expect(code.symbols.testOnlyBytes() == Array("0123456089ABCDEFGHJKMNPQRSTV".utf8))
        #expect(code.text.testOnlyBytes() == Array("0123-4560-89AB-CDEF-GHJK-MNPQ-RSTV".utf8))
    }

    @Test(
        "a code of another length or with a foreign character is none",
        arguments: [
            "", "0123456789ABCDEFGHJKMNPQRST", "0123456789ABCDEFGHJKMNPQRSTVW",
            "0123456789ABCDEFGHJKMNPQRST*",
        ])
    func noCode(_ text: String) {
        do throws(DeviceLink.Code.FormatError) {
            _ = try DeviceLink.Code(typed: SecretBytes(utf8: text))
            Issue.record("\(text) is taken for a code")
        } catch { #expect(error.id == "malformed") }
    }

    @Test("two links of one state share neither code nor box")
    func fresh() throws {
        let first = try vault.link(sharing: key())
        let second = try vault.link(sharing: key())
        let codes = [first.code.symbols.testOnlyBytes(), second.code.symbols.testOnlyBytes()]
        #expect(first.document != second.document && codes[0] != codes[1])
    }

    @Test(
        "each link of another implementation opens, or is refused, as that says",
        arguments: Vector.all(TestData.link["links"], named: "link", atLeast: 40))
    func vector(_ vector: Vector) throws {
        let outcome = opened(vector)
        guard !vector.has("error") else { return #expect(outcome.error == vector.text("error")) }
        #expect(outcome.error == nil && outcome.key == vector.hex("keyHex"))
        let version = try #require(outcome.version)
        #expect("\(version.vaultID)" == vector.text("vault") && version.digest == vector.hex("digestHex"))
        #expect(version.changeCount == UInt64(vector.int("changes")))
        guard vector.has("ivHex") else { return }
        let link = DeviceLink(
            to: SecretBytes(copying: outcome.key), version, of: try UserID(parsing: vector.text("userId")),
            under: try DeviceLink.Code(typed: SecretBytes(utf8: vector.text("typed"))),
            from: .testOnlyScript(vector.hex("ivHex")))
        #expect(link.document == Array(vector.text("document").utf8))
    }

    private func opened(_ vector: Vector) -> (error: String?, key: [UInt8], version: VaultVersion?) {
        do {
            let code = try DeviceLink.Code(typed: SecretBytes(utf8: vector.text("typed")))
            let opened = try DeviceLink.key(from: vector.text("document").utf8, code: code)
            return (nil, opened.key.testOnlyBytes(), opened.version)
        } catch { return ((error as? any CloserError)?.id ?? "unexpected", [], nil) }
    }
}
