internal import ArgumentParser
internal import CloserVectors
internal import CloserWire

struct VectorsCommand: CommandGroup {
    static let configuration = CommandConfiguration(
        commandName: "vectors", abstract: "Check this program, or another one, against vectors.",
        subcommands: [List.self, Verify.self, Run.self, Live.self, Export.self])

    struct Verify: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Say whether this program makes of every case what it must.")

        @OptionGroup var selection: VectorSelection
        @OptionGroup var report: ReportOptions

        func run() throws {
            var inputs = Inputs()
            let files = try selection.files(&inputs)
            let result = try report.prepare(&inputs)
            try report.deliver(Report(verifying: files), to: result)
        }
    }

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the files of vectors in this program, or others.")

        @OptionGroup var selection: VectorSelection
        @OptionGroup var output: OutputOptions

        func run() throws {
            var inputs = Inputs()
            let files = try selection.files(&inputs)
            let lines = files.map { file in
                let sources = file.sources.joined(separator: ", ")
                return [file.name, "\(file.cases.count)", file.algorithm, sources].map(\.plainLine).joined(
                    separator: "\t")
            }
            try output.report(
                lines.joined(separator: "\n"), json: ["files": .array(files.map(Self.describe))],
                inputs: inputs)
        }

        private static func describe(_ file: VectorFile) -> JSONValue {
            [
                "file": .string(file.name), "cases": .number(Double(file.cases.count)),
                "algorithm": .string(file.algorithm), "sources": .array(file.sources.map { .string($0) }),
            ]
        }
    }
}
