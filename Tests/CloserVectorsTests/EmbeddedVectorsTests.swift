import CloserWire
import Foundation
import TestSupport
import Testing

@testable import CloserVectors

/// What the program carries is what the repository has: nothing changed, renamed or left out.
@Suite("The vectors in the program")
struct EmbeddedVectorsTests {
    static let names = EmbeddedFiles.all.map(\.name).filter { $0 != EmbeddedFiles.indexName }

    @Test(
        "they are the repository's files in the frame, byte for byte",
        .proves("closer-keys passes every test case that it contains"))
    func whole() throws {
        let entries = try EmbeddedVectors.once.get().entries
        #expect(entries.count == 28)
        #expect(entries.map(\.file.cases.count).reduce(0, +) == 5276)
        for entry in entries {
            let file = TestData.root.appending(path: "vectors/v1/\(entry.file.name)")
            #expect(try Data(entry.bytes) == Data(contentsOf: file), "\(entry.file.name)")
        }
        let folder = try FileManager.default.contentsOfDirectory(
            atPath: TestData.root.appending(path: "vectors/v1").path())
        #expect(Set(folder) == Set(entries.map(\.file.name)))
    }

    @Test(
        "our implementation passes every case of each",
        .proves("closer-keys passes every test case that it contains"),
        arguments: Effort.some(of: names, everyOther: 4))
    func passes(_ name: String) throws {
        let entry = try #require(try EmbeddedVectors.once.get().entries.first { $0.file.name == name })
        var ours = OwnImplementation()
        let report = Report(files: [Runner.run(entry.file, with: &ours)])
        #expect(report.counts == Counts(passed: entry.file.cases.count), "\(report.text(.text))")
    }

    @Test("a changed byte in any file is noticed", arguments: Effort.some(of: names, everyOther: 6))
    func changed(_ name: String) {
        var files = EmbeddedFiles.all
        guard let place = files.firstIndex(where: { $0.name == name }) else { return }
        // A letter of the last comment: the file stays one in the frame.
        let byte = files[place].bytes.count / 2
        files[place].bytes[byte] ^= 1
        #expect(throws: EmbeddedVectorsError.changed(name)) { try EmbeddedVectors(files) }
    }

    @Test("a file that is left out, renamed or put in is noticed")
    func moved() {
        let files = EmbeddedFiles.all
        let without = files.filter { $0.name != "field.json" }
        #expect(throws: EmbeddedVectorsError.missing("field.json")) { try EmbeddedVectors(without) }
        let renamed = files.map { ($0.name == "field.json" ? "fields.json" : $0.name, $0.bytes) }
        #expect(throws: EmbeddedVectorsError.notInIndex("fields.json")) { try EmbeddedVectors(renamed) }
        let more = files + [("extra.json", Array(FrameFile.text.utf8))]
        #expect(throws: EmbeddedVectorsError.notInIndex("extra.json")) { try EmbeddedVectors(more) }
        let noIndex = files.filter { $0.name != EmbeddedFiles.indexName }
        #expect(throws: EmbeddedVectorsError.noIndex) { try EmbeddedVectors(noIndex) }
    }

    @Test("an index with another count, or that cannot be read, is noticed")
    func index() throws {
        let files = EmbeddedFiles.all
        func changing(_ old: String, to new: String) throws -> [EmbeddedFiles.File] {
            let index = String(
                decoding: try #require(files.first { $0.name == "index.json" }).bytes, as: UTF8.self)
            try #require(index.contains(old))
            return files.map {
                $0.name == "index.json" ? ($0.name, Array(index.replacing(old, with: new).utf8)) : $0
            }
        }
        let count = try changing(#""numberOfTests": 144"#, to: #""numberOfTests": 138"#)
        #expect(throws: EmbeddedVectorsError.wrongCount("aead.json")) { try EmbeddedVectors(count) }
        let text = try changing(#""numberOfTests": 144"#, to: #""numberOfTests": "144""#)
        #expect(throws: EmbeddedVectorsError.noIndex) { try EmbeddedVectors(text) }
        let list = try changing(#""files""#, to: #""names""#)
        #expect(throws: EmbeddedVectorsError.noIndex) { try EmbeddedVectors(list) }
    }
}

extension EmbeddedVectors {
    /// Read once: a debug build takes seconds for it.
    static let once = Result { try EmbeddedVectors() }
}
