internal import ArgumentParser
internal import CloserFiles
internal import CloserVectors
internal import CloserWire

struct VectorsCommand: CommandGroup {
    static let configuration = CommandConfiguration(
        commandName: "vectors", abstract: "Check this program, or another one, against vectors.",
        subcommands: [List.self, Verify.self, Run.self, Live.self, Export.self])
}

extension VectorsCommand {
    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List the files of vectors in this program, or others.")

        @OptionGroup var selection: VectorSelection
        @OptionGroup(title: "Output options") var output: OutputOptions

        func run() throws {
            var inputs = Inputs()
            let files = try selection.files(&inputs)
            try Output(output, .line, inputs: inputs).report(
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
    }

    struct Export: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "export",
            abstract: "Write this program's files of vectors into a folder, or one of them anywhere.")

        @Argument(
            help: ArgumentHelp("One file, by its name; all of them by default.", valueName: "name"),
            completion: .list(EmbeddedVectors.names))
        var name: String?
        @OptionGroup(title: "Output options") var output: OutputOptions

        func run() throws {
            let entries: [EmbeddedVectors.Entry]
            do { entries = try EmbeddedVectors().entries } catch { throw CLIError(error) }
            guard let name else { return try write(entries) }
            let own = try VectorSource.ownName(of: name)
            for entry in entries where entry.file.name == own {
                try Output(output, .payload, inputs: Inputs()).deliver(entry.bytes, named: "vectors")
            }
        }

        /// Writes all files, unless one of them exists and must stay.
        private func write(_ entries: [EmbeddedVectors.Entry]) throws {
            guard let folder = output.output, folder != "-" else {
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
