internal import ArgumentParser
internal import CloserFiles
internal import CloserVectors
internal import CloserWire

extension VectorsCommand {
    struct Export: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "export",
            abstract:
                "List this program's files of vectors, or write them into a folder, or one of them anywhere.")

        @Argument(
            help: ArgumentHelp("One file, by its name; all of them by default.", valueName: "name"),
            completion: .list(EmbeddedVectors.names))
        var name: String?
        @OptionGroup(title: "Output options") var output: OutputOptions

        func run() throws {
            let entries: [EmbeddedVectors.Entry]
            do { entries = try EmbeddedVectors().entries } catch { throw CLIError(error) }
            guard let name else {
                return try output.output == nil ? list(entries.map(\.file)) : write(entries)
            }
            let own = try VectorSource.ownName(of: name)
            for entry in entries where entry.file.name == own {
                try Output(output, .payload, inputs: Inputs()).deliver(entry.bytes, named: "vectors")
            }
        }

        private func list(_ files: [VectorFile]) throws {
            try Output(output, .line, inputs: Inputs()).report(
                files.map(Self.line).joined(separator: "\n"),
                json: ["files": .array(files.map(Self.describe))])
        }

        private static func line(_ file: VectorFile) -> String {
            let columns = [
                file.name, "\(file.cases.count)", file.algorithm, file.sources.joined(separator: ", "),
                file.operations.joined(separator: ", "),
            ]
            return columns.map(\.plainLine).joined(separator: "\t")
        }

        private static func describe(_ file: VectorFile) -> JSONValue {
            [
                "file": .string(file.name), "cases": .number(Double(file.cases.count)),
                "algorithm": .string(file.algorithm), "sources": .array(file.sources.map { .string($0) }),
                "operations": .array(file.operations.map { .string($0) }),
            ]
        }

        /// Writes all files, unless one of them exists and must stay.
        private func write(_ entries: [EmbeddedVectors.Entry]) throws {
            guard let folder = output.file else {
                throw CLIError(
                    .usage, "all files go into a folder", hint: "name it with -o, or name one file")
            }
            let paths = entries.map { "\(folder)/\($0.file.name)" }
            for path in paths where !output.force {
                guard !Paths.isRegular(path) else { throw FileError.exists(path: path) }
            }
            try Paths.makeFolder(folder)
            for (entry, path) in zip(entries, paths) {
                let file = try Output(file: path, .payload, replacing: output.force)
                try file.deliver(entry.bytes, named: "vectors")
            }
            guard output.json else { return }
            try Output.print(["output": .string(folder), "files": .array(paths.map { .string($0) })])
        }
    }
}
