import CloserKeys
import CloserTink
import TestSupport
import Testing

@testable import CloserVault

@Suite("A vault with many couples")
struct ManyCouplesTests {
    /// Guarded memory takes several mappings for each allocation, and a system gives a process some 65,000.
    @Test("five hundred couples with the most keys are listed, counted, checked and exported")
    func many() throws {
        let vaults = MemoryVaults()
        let vault = try vaults.make("v")
        var keyset = try Golden.keyset()
        while keyset.entries.count < Keyset.maximumKeyCount { keyset = try keyset.adding(.aes256GCM) }
        try vault.change { (transaction) throws(VaultError) in
            for number in 0..<500 {
                do {
                    let id = try CoupleID(parsing: "couple_\(number)")
                    transaction.put(Couple(id, try CoupleKey(keyset), Golden.wrap))
                } catch { throw VaultError.damaged }
            }
        }
        let ids = try vault.coupleIDs.map(\.text)
        #expect(ids.count == 500 && ids.contains("couple_499"))
        #expect(try vault.couples.map(\.id.text) == ids)
        #expect(try vault.contents().coupleCount == 500)
        #expect(
            try Vault.read(export: vault.export(locking: .testOnlyQuick("w")), with: .testOnlyQuick("w"))
                .index.entries.count == 502)
    }
}
