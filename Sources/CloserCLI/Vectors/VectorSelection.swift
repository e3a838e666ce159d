#if CommandLine
internal import ArgumentParser
internal import CloserFiles
internal import CloserKeys
internal import CloserVectors
internal import CloserWire

/// Which files of vectors.
struct VectorSelection: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "Files of vectors, ours or Wycheproof's, or names of those in this program, which are the default.",
            valueName: "file"),
        completion: .file())
    var files: [String] = []

    /// The files that are named, each once. All are read before any case is run.
    func files(_ inputs: inout Inputs) throws -> [VectorFile] {
        guard !files.isEmpty else { return try Self.own() }
        let paths = Self.once(files)
        let own = paths.contains(where: Self.mayBeOwn) ? try Self.own() : []
        var read: [VectorFile] = []
        for path in paths {
            let entry = Self.mayBeOwn(path) ? own.first { $0.name == path } : nil
            read.append(try entry ?? Self.read(path, besides: own, &inputs))
        }
        return read
    }

    /// The files in this program.
    private static func own() throws -> [VectorFile] {
        do { return try EmbeddedVectors().entries.map(\.file) } catch { throw CLIError(error) }
    }

    /// Only a bare name that no file in the working folder has: there, as everywhere, a name means a file first.
    private static func mayBeOwn(_ path: String) -> Bool {
        path != "-" && !path.utf8.contains(UInt8(ascii: "/")) && Paths.isMissing(path)
    }

    /// Drops repetitions: a file that is named twice, or by two names, would have its cases counted twice.
    private static func once(_ paths: [String]) -> [String] {
        var seen: [FileIdentity] = []
        return paths.filter { path in
            // One that cannot be looked at cannot be read, either.
            guard let identity = FileIdentity.all(of: path).first else { return true }
            defer { seen.append(identity) }
            return !seen.contains(identity)
        }
    }

    private static func read(
        _ path: String, besides own: [VectorFile], _ inputs: inout Inputs
    ) throws -> VectorFile {
        let bytes: [UInt8]
        do { bytes = try inputs.bytes(path, maximumByteCount: VectorFile.maximumByteCount) } catch {
            guard path != "-", Paths.isMissing(path) else { throw error }
            throw CLIError(error).hinting(hint(for: path, own))
        }
        let name = path == "-" ? "standard input" : path
        do { return try VectorFile(name: name, parsing: bytes) } catch {
            guard error == .notJSON, let fault = JSONFault(bytes.span) else {
                throw CLIError(error, in: name)
            }
            throw CLIError(error, in: name, "the file \(fault.words)")
        }
    }

    /// What to do about a name that no file has.
    private static func hint(for name: String, _ own: [VectorFile]) -> String {
        if let file = own.first(where: { $0.cases.contains { $0.operation == name } }) {
            return "\(name) is an operation: its cases are in \(file.name)"
        }
        return NearName.of(name, among: own.map(\.name)).map { "did you mean \($0)?" }
            ?? "closer-keys vectors list shows the names of those in this program"
    }

    /// Refuses a name that is nearly that of a file in this program. For a run that lacks more than that: to say only what
    /// is missing would let the next run fail, too.
    func refuseMistyped() throws {
        let names = files.filter(Self.mayBeOwn)
        guard !names.isEmpty else { return }
        let own = try Self.own()
        for name in names where !own.contains(where: { $0.name == name }) {
            guard let near = NearName.of(name, among: own.map(\.name)) else { continue }
            throw CLIError(.noInput, "there is no file \(name)", hint: "did you mean \(near)?")
        }
    }
}

extension CLIError {
    init(_ error: VectorFileError, in name: String, _ words: String? = nil) {
        self = CLIError(
            .malformed, "\(name): \(words ?? error.words)",
            hint: "man closer-keys-vectors.7 describes the files, and which of Wycheproof's are known")
    }

    init(_ error: EmbeddedVectorsError) {
        self = CLIError(
            .vectorsChanged, "the vectors in this program: \(error.words)",
            hint: "do not use this build")
    }
}
#endif
