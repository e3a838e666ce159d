#if CommandLine
internal import CloserWire

/// One input of a run, as its arguments name it.
struct InputName {
    let isStandardInput: Bool

    /// A file, which may be standard input; nil is no input.
    static func file(_ path: String?) -> InputName {
        InputName(isStandardInput: path.map(isStandardInput) ?? false)
    }

    /// Whether a path is `-`, or one of the system's own names of the same.
    static func isStandardInput(_ path: String) -> Bool {
        ["-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"].contains { $0.utf8.elementsEqual(path.utf8) }
    }

    /// A file, or standard input; nil is standard input, too.
    static func fileOrStandardInput(_ path: String?) -> InputName { file(path ?? "-") }

    /// A secret that may come from a file or a descriptor.
    static func secret(_ source: SecretSource) -> InputName {
        InputName(isStandardInput: file(source.file).isStandardInput || source.descriptor == 0)
    }
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
#endif
