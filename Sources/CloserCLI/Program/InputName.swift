internal import CloserWire

/// One input of a run, as its arguments name it.
struct InputName {
    let isStandardInput: Bool

    /// A file, which may be standard input; nil is no input.
    static func file(_ path: String?) -> InputName {
        InputName(isStandardInput: path.map(isStandardInput) ?? false)
    }

    /// Whether a path is `-`, or one of the system's own names of the same.
    static func isStandardInput(_ path: String) -> Bool { descriptor(path) == 0 }

    /// The open descriptor that a path names, such as `/dev/fd/3`; nil for any other path. Linux opens no socket by such a path, and
    /// Node.js hands down sockets.
    static func descriptor(_ path: String) -> Int32? {
        let path = Array(path.utf8)
        if path == Array("-".utf8) || path == Array("/dev/stdin".utf8) { return 0 }
        guard let folder = ["/dev/fd/", "/proc/self/fd/"].first(where: { path.starts(with: $0.utf8) }) else {
            return nil
        }
        let digits = String(decoding: path.dropFirst(folder.utf8.count), as: UTF8.self)
        return Int32(digits).flatMap { $0 >= 0 && "\($0)" == digits ? $0 : nil }
    }

    /// A file, or standard input; nil is standard input, too.
    static func fileOrStandardInput(_ path: String?) -> InputName { file(path ?? "-") }

    /// A secret that may come from a file.
    static func secret(_ source: SecretSource) -> InputName { file(source.file) }
}

extension Inputs {
    /// The inputs of a run that may read several. Standard input as two of them is refused, before anything is
    /// asked or read.
    init(_ names: [InputName]) throws {
        guard names.filter(\.isStandardInput).count < 2 else { throw Self.readTwice }
        self.init()
    }

    static let readTwice = CLIError(.usage, "standard input can be read only once")
}
