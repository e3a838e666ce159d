public import CloserPrimitives
internal import CloserWire

/// The vectors that the program carries in itself, held against their index.
///
/// A file that was changed, renamed or left out on its way from the repository into the program is an error: a run of
/// fewer cases would look like a pass.
public struct EmbeddedVectors: Sendable {
    /// One file: its bytes, and what was read from them.
    public struct Entry: Sendable {
        /// The file, byte for byte as it is in the repository.
        public let bytes: [UInt8]
        /// Its cases.
        public let file: VectorFile
    }

    /// In the order of the index.
    public let entries: [Entry]

    /// The names of the files, unopened.
    package static var names: [String] {
        EmbeddedFiles.all.map(\.name).filter { $0 != EmbeddedFiles.indexName }
    }

    /// What this program carries.
    public init() throws(EmbeddedVectorsError) { try self.init(EmbeddedFiles.all) }

    /// Takes the files and, among them, `index.json`.
    init(_ files: [EmbeddedFiles.File]) throws(EmbeddedVectorsError) {
        let index = try Index(files.first { $0.name == EmbeddedFiles.indexName }?.bytes ?? [])
        let files = files.filter { $0.name != EmbeddedFiles.indexName }
        let names = Set(index.lines.map(\.name))
        if let stranger = files.first(where: { !names.contains($0.name) }) {
            throw .notInIndex(stranger.name)
        }
        var entries: [Entry] = []
        for line in index.lines {
            guard let bytes = files.first(where: { $0.name == line.name })?.bytes else {
                throw .missing(line.name)
            }
            entries.append(try line.check(bytes))
        }
        self.entries = entries
    }

    private struct Index {
        let lines: [Line]

        init(_ bytes: [UInt8]) throws(EmbeddedVectorsError) {
            guard let files = (try? JSONValue(parsing: bytes))?["files"]?.array, !files.isEmpty else {
                throw .noIndex
            }
            let lines = files.compactMap(Line.init)
            guard lines.count == files.count else { throw .noIndex }
            self.lines = lines
        }
    }

    private struct Line {
        let name: String
        let testCount: Int
        let sha256: String

        init?(_ value: JSONValue) {
            guard let name = value["name"]?.string, let sha256 = value["sha256"]?.string,
                let count = value["numberOfTests"]?.number.flatMap({ Int(exactly: $0) })
            else { return nil }
            (self.name, self.sha256, testCount) = (name, sha256, count)
        }

        func check(_ bytes: [UInt8]) throws(EmbeddedVectorsError) -> Entry {
            guard Hex.encode(SHA256.hash(bytes.span)) == sha256 else { throw .changed(name) }
            let file: VectorFile
            do { file = try VectorFile(name: name, parsing: bytes) } catch { throw .unreadable(name, error) }
            guard file.cases.count == testCount else { throw .wrongCount(name) }
            return Entry(bytes: bytes, file: file)
        }
    }
}

/// Why the vectors in the program differ from the repository's.
public enum EmbeddedVectorsError: Error, Equatable, Sendable {
    /// The index is missing, or unreadable.
    case noIndex
    /// The index names this file, which is missing.
    case missing(String)
    /// The file is missing in the index.
    case notInIndex(String)
    /// The file has another SHA-256 than the index says.
    case changed(String)
    /// It is something else than a file of vectors.
    case unreadable(String, VectorFileError)
    /// It has more or fewer tests than the index says.
    case wrongCount(String)

    /// What is wrong, in words for a person.
    public var words: String {
        switch self {
        case .noIndex: "the index of the vectors is missing"
        case .missing(let name): "\(name) is missing"
        case .notInIndex(let name): "\(name) is not in the index"
        case .changed(let name): "\(name) was changed"
        case .unreadable(let name, let error): "\(name): \(error.words)"
        case .wrongCount(let name): "\(name) has another number of tests than the index says"
        }
    }
}

extension EmbeddedVectorsError: CloserError {
    /// What is wrong, and what to do.
    public var description: String { "the vectors in this program: \(words); do not use this build" }
    /// Its name: `vectorsChanged`.
    public var id: String { ErrorID.vectorsChanged.rawValue }
    /// The number of the name.
    public var code: Int { ErrorID.vectorsChanged.number }
    /// What is wrong, as a sentence.
    public var summary: String { "the vectors in this program: \(words)".sentence }
    /// What to do, as a sentence.
    public var remedy: String? { "Do not use this build." }
}
