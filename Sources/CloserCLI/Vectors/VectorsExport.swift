internal import ArgumentParser
internal import CloserFiles
internal import CloserVectors
internal import CloserWire

extension VectorsCommand {
    struct Export: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Write the files of vectors in this program into a folder, or one of them anywhere.")

        @Argument(help: ArgumentHelp("One file, by its name; all of them by default.", valueName: "name"))
        var name: String?
        @OptionGroup var output: OutputOptions

        func run() throws {
            let entries: [EmbeddedVectors.Entry]
            do { entries = try EmbeddedVectors().entries } catch { throw Failure(error) }
            guard let name else { return try write(entries) }
            guard let entry = entries.first(where: { $0.file.name == name }) else {
                throw Failure(
                    .noInput, "no file of this name is in this program",
                    hint: "closer-keys vectors list shows the names")
            }
            try output.deliver(entry.bytes.span, .payload, named: "vectors", inputs: Inputs())
        }

        /// Nothing is written where one file is in the way.
        private func write(_ entries: [EmbeddedVectors.Entry]) throws {
            guard let folder = output.output, folder != "-" else {
                throw Failure(.usage, "all files go into a folder", hint: "name it with -o, or name one file")
            }
            let paths = entries.map { "\(folder)/\($0.file.name)" }
            if !output.force, let path = paths.first(where: SafeFile.exists) {
                throw FileError.exists(path: path)
            }
            try Folder.make(folder)
            for (entry, path) in zip(entries, paths) {
                let file = try SafeFile(path, replacing: output.force)
                try file.write(entry.bytes.span)
                try file.commit()
            }
            guard output.json else { return }
            try output.print(["output": .string(folder), "files": .array(paths.map { .string($0) })])
        }
    }
}
