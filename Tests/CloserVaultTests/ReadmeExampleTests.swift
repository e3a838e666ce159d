// README example: begin
import CloserKeys
import CloserTink
import CloserVault
// README example: pause
import Foundation
import TestSupport
import Testing

@Suite("The README's Swift")
struct ReadmeExampleTests {
    @Test("pairs two vaults, and opens a field", .proves("The examples of the README and of docs work"))
    func example() throws {
        // README example: resume
        let alice = try Vault.inMemory(for: UserID(parsing: "alice"))
        let bob = try Vault.inMemory(for: UserID(parsing: "bob"))
        let couple = try CoupleID(parsing: "couple_1")

        let made = try alice.store(alice.draftOffer(of: couple, beginningAt: .strict))  // code: for Bob
        let reply = try bob.accept(made.offer, code: made.code, of: couple)
        let grant = try alice.store(alice.draftConfirmation(for: reply, of: couple))
        try bob.store(bob.openGrant(grant, of: couple))

        let token = try alice.couple(couple).fieldKey().seal("dinner at eight?".utf8)
        let opened = try bob.couple(couple).fieldKey().open(token)
        // README example: end
        #expect(opened.plaintext == Array("dinner at eight?".utf8))
    }

    @Test("is what stands between the marks of this file")
    func verbatim() throws {
        let readme = try String(contentsOf: TestData.root.appending(path: "README.md"), encoding: .utf8)
        let block = readme.components(separatedBy: "```swift\n").dropFirst().first?.components(
            separatedBy: "```"
        ).first
        let source = try String(contentsOf: URL(filePath: #filePath), encoding: .utf8)
        let lines = try #require(block).split(separator: "\n")
        #expect(lines.count == 11)
        for line in lines { #expect(source.contains(line), "\(line)") }
    }
}
