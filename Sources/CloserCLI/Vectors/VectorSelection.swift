internal import ArgumentParser
internal import CloserFiles
internal import CloserVectors
internal import CloserWire

/// Which files of vectors.
struct VectorSelection: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "Files of vectors, ours or Wycheproof's, or names of those in this program, which are the default: field, or builtin:field.",
            valueName: "file"),
        completion: .file())
    var files: [String] = []

    /// The files that are named, each once. All are read before any case is run.
    func files(_ inputs: inout Inputs) throws -> [VectorFile] {
        guard !files.isEmpty else { return try Self.own() }
        let sources = Self.once(try files.map { try VectorSource($0) })
        let own = sources.contains(where: \.isOwn) ? try Self.own() : []
        return try sources.flatMap { source in
            switch source {
            case .own(let name): own.filter { $0.name == name }
            case .file(let path): [try Self.read(path, &inputs)]
            }
        }
    }

    private static func own() throws -> [VectorFile] {
        do { return try EmbeddedVectors().entries.map(\.file) } catch { throw CLIError(error) }
    }

    /// Drops repetitions: a file that is named twice, or by two names, would have its cases counted twice.
    private static func once(_ sources: [VectorSource]) -> [VectorSource] {
        var (names, seen) = (Set<String>(), [FileIdentity]())
        return sources.filter { source in
            switch source {
            case .own(let name): return names.insert(name).inserted
            case .file(let path):
                // An unreachable file fails when it is read.
                guard let identity = FileIdentity.all(of: path).first else { return true }
                defer { seen.append(identity) }
                return !seen.contains(identity)
            }
        }
    }

    private static func read(_ path: String, _ inputs: inout Inputs) throws -> VectorFile {
        let bytes: [UInt8]
        do { bytes = try inputs.bytes(path, maximumByteCount: VectorFile.maximumByteCount) } catch {
            guard path != "-", Paths.isMissing(path) else { throw error }
            throw CLIError(error).hinting(hint(for: path))
        }
        let name = path == "-" ? "standard input" : path
        do { return try VectorFile(name: name, parsing: bytes) } catch { throw CLIError(error, in: name) }
    }

    private static func hint(for name: String) -> String {
        guard let file = try? own().first(where: { $0.operations.contains(name) }) else {
            return VectorSource.hint(for: name)
        }
        return "\(name) is an operation: its cases are in \(file.name)"
    }
}

extension CLIError {
    init(_ error: VectorFileError, in name: String) {
        self = CLIError(
            .malformed, "\(name): \(error.words)",
            hint: "man closer-keys-vectors.7 describes the files, and which of Wycheproof's are known")
    }

    init(_ error: EmbeddedVectorsError) {
        self = CLIError(
            .vectorsChanged, "the vectors in this program: \(error.words)",
            hint: "do not use this build")
    }
}
