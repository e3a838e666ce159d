import CloserKeys
import CloserPrimitives
import TestSupport
import Testing

@testable import CloserVault

/// Runs alone: it reads the memory of the whole process.
@Suite("Secrets of a link in memory", .serialized)
struct DeviceLinkOwnershipTests {
    private let key = MaskedPattern.random()
    private let vault: Vault

    init() throws {
        vault = try Vault.create(
            in: VaultMemoryStorage("v"), for: UserID(parsing: "alice"), locking: .key(key.secret()))
    }

    @Test("the code is in one place while its link lives, and code and key are nowhere afterwards")
    func made() throws {
        let code: MaskedPattern
        do {
            let link = try vault.link(sharing: key.secret())
            code = MaskedPattern(masking: link.code.symbols)
            let during = [try MemoryScan.count(code), try MemoryScan.count(key)]
            _ = link.document
            #expect(during == [1, 0])
        }
        #expect(try MemoryScan.count(code) == 0)
    }

    @Test("the key is in one place once its link is opened, and code and key are nowhere afterwards")
    func opened() throws {
        let code: MaskedPattern
        do {
            let link = try vault.link(sharing: key.secret())
            code = MaskedPattern(masking: link.code.symbols)
            let opened = try DeviceLink.key(
                from: link.document, code: DeviceLink.Code(typed: link.code.text))
            let during = [try MemoryScan.count(code), try MemoryScan.count(key)]
            _ = (link.document, opened.version)
            #expect(during == [1, 1])
        }
        #expect(try MemoryScan.count(code) == 0 && MemoryScan.count(key) == 0)
    }
}
