// README example: begin
import CloserKeys
import CloserTink
// README example: pause
import Foundation
import TestSupport
import Testing

@Suite("The README's Swift")
struct ReadmeExampleTests {
    @Test("seals and opens a field")
    func example() throws {
        // README example: resume
        let couple = try CoupleID(parsing: "couple_1")
        let key = try CoupleKey(Keyset(.aes256GCM))
        let token = try key.seal(field: "dinner at eight?".utf8, couple: couple)
        let opened = try key.open(FieldToken(parsing: token.description), couple: couple)
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
        #expect(lines.count == 6)
        for line in lines { #expect(source.contains(line), "\(line)") }
    }
}
