import CloserWire
import Foundation
import TestSupport
import Testing

@testable import CloserVectors

/// Every table of operations beside ours says the same: the files, the schemas, the pages, and the partner in Python.
@Suite("The operations")
struct OperationTableTests {
    private static let ofFiles = VectorOperation.all.filter { operation in
        guard case .file = operation.source else { return false }
        return true
    }
    private static let sealing = VectorOperation.all.filter(\.isSealing)

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: TestData.root.appending(path: path), encoding: .utf8)
    }

    @Test("have names of their own, and of each kind there are as many as ever")
    func names() {
        #expect(Set(VectorOperation.all.map(\.name)).count == VectorOperation.all.count)
        #expect(Self.ofFiles.count == 38 && Self.sealing.count == 15 && VectorOperation.all.count == 58)
        #expect(VectorOperation.withLiveCases.count == 35)
    }

    @Test("of a schema are those that the file in the program asks, and no others")
    func embedded() throws {
        for entry in try EmbeddedVectors.once.get().entries {
            let asked = Set(entry.file.cases.map(\.operation))
            #expect(
                asked == Set(VectorOperation.of(schema: entry.file.name).map(\.name)), "\(entry.file.name)")
        }
        let schemas = try FileManager.default.contentsOfDirectory(
            atPath: TestData.root.appending(path: "vectors/schema").path())
        #expect(
            Set(schemas.flatMap { VectorOperation.of(schema: $0).map(\.name) })
                == Set(Self.ofFiles.map(\.name)))
    }

    @Test("give and take what the schemas say", arguments: ofFiles.map(\.name))
    func schema(_ name: String) throws {
        let operation = try #require(VectorOperation.named(name))
        guard case .file(let file) = operation.source else { return }
        let schema = try JSONValue(parsing: Self.text("vectors/schema/\(file)").utf8)
        let items = schema["properties"]?["testGroups"]?["items"]
        let groups = items?["anyOf"]?.array ?? [items].compactMap(\.self)
        let group = try #require(groups.first { $0["properties"]?["type"]?["const"]?.string == name })
        #expect(try Self.members(of: group) == Set(operation.groupMembers.map(\.spelled)))
        let valid = try #require(group["properties"]?["tests"]?["items"]?["then"])
        #expect(try Self.members(of: valid) == Set(operation.testMembers.map(\.spelled)))
        let output = try #require(valid["properties"]?["output"])
        #expect(try Self.members(of: output) == Set(operation.gives.map(\.spelled)))
    }

    /// Without those of the frame.
    private static func members(of object: JSONValue) throws -> Set<String> {
        let frame = ["type", "source", "tests", "tcId", "comment", "flags", "result", "output", "trace"]
        let required = try #require(object["required"]?.array).compactMap(\.string)
        let names = try #require(object["properties"]?.members).map(\.name)
        // An operation may give a member of the name `keys`, and no file has one in its frame.
        return Set(names.filter { !frame.contains($0) }.map { required.contains($0) ? $0 : "\($0)?" })
    }

    @Test("stand in the tables of vectors/README.md with what they take and give, and with who reads them")
    func readme() throws {
        let readme = try Self.text("vectors/README.md")
        let rows = readme.matches(of: /(?m)^\| `([\w.]+)` \| (.*) \|$/)
        let table = Dictionary(
            uniqueKeysWithValues: rows.filter { $0.2.contains(" | ") }.map { row in
                (
                    String(row.1),
                    row.2.split(separator: " | ", omittingEmptySubsequences: false).map(String.init)
                )
            })
        let expected = (Self.ofFiles + Self.sealing).map(\.name)
        #expect(Set(table.keys) == Set(expected))
        for operation in Self.ofFiles + Self.sealing {
            let cells = try #require(table[operation.name])
            let takes = operation.groupMembers + operation.testMembers
            #expect(Self.membersInCell(cells[0]) == takes.map(\.spelled), "\(operation.name)")
            #expect(Self.membersInCell(cells[1]) == operation.gives.map(\.name), "\(operation.name)")
            if let reader = operation.reader { #expect(cells[2] == "`\(reader.name)`") }
        }
        let sentence = try #require(readme.firstMatch(of: /what both sides compute:\s+((`[\w.]+`[,.]\s+)+)/))
            .1
        let computing = VectorOperation.withLiveCases.filter { operation in
            !Self.sealing.contains { [$0.name, $0.reader?.name].contains(operation.name) }
        }
        #expect(sentence.matches(of: /`([\w.]+)`/).map { String($0.1) } == computing.map(\.name).sorted())
    }

    /// The members that a cell names, without what it explains of them in parentheses and behind colons.
    private static func membersInCell(_ cell: String) -> [String] {
        cell.replacing(/\([^)]*\)/, with: "").replacing(/:[^;]*/, with: "")
            .matches(of: /`(\w+)`(\??)/).map { "\($0.1)\($0.2)" }
    }

    @Test("stand in closer-keys-vectors(7) with what they take and give")
    func manPage() throws {
        let page = try Self.text("man/closer-keys-vectors.7")
        let items = page.matches(of: /(?s)\.It Cm ([\w.]+)\n(.*?)\n(?=\.It|\.El)/).filter {
            $0.2.contains("Gives")
        }
        #expect(Set(items.map { String($0.1) }) == Set((Self.ofFiles + Self.sealing).map(\.name)))
        for item in items {
            let operation = try #require(VectorOperation.named(String(item.1)))
            let halves = item.2.replacing(/(?s)\.Po.*?\.Pc|\neach with.*/, with: "").split(separator: "Gives")
            let (takes, gives) = (operation.groupMembers + operation.testMembers, operation.gives)
            #expect(Self.membersInText(halves[0]) == takes.map(\.spelled), "\(operation.name)")
            #expect(Self.membersInText(halves[1]) == gives.map(\.name), "\(operation.name)")
        }
    }

    private static func membersInText(_ text: Substring) -> [String] {
        text.matches(of: /\.Ql (\w+)( \?)?/).map { "\($0.1)\($0.2 == nil ? "" : "?")" }
    }

    @Test(
        "are those of the partner in Python",
        arguments: [
            ("vectors/make/kit/readers/__init__.py", "READERS", ofFiles.map(\.name)),
            ("Tests/Interop/adapters/partner_sealer.py", "SEALERS", sealing.map(\.name)),
            ("vectors/make/kit/operations.py", "OPERATIONS", ofFiles.map(\.name)),
        ])
    func python(_ path: String, _ table: String, _ names: [String]) throws {
        let text = try Self.text(path)
        let start = try #require(text.range(of: "\n\(table) = {\n")).upperBound
        let end = try #require(text.range(of: "\n}", range: start..<text.endIndex)).lowerBound
        let keys = text[start..<end].matches(of: #/(?m)^ {4}"([\w.]+)": /#).map { String($0.1) }
        #expect(keys.sorted() == names.sorted())
    }
}

extension MemberName {
    /// As the tables have it.
    fileprivate var spelled: String { isOptional ? "\(name)?" : name }
}

extension VectorOperation {
    fileprivate var reader: VectorOperation? { sealing?.reader }
}
