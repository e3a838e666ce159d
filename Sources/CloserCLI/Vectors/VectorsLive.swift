#if CommandLine
internal import ArgumentParser
internal import CloserConformance
internal import CloserVectors
internal import CloserWire

extension VectorsCommand {
    struct Live: AdapterCommand {
        static let configuration = CommandConfiguration(
            commandName: "live", abstract: "Exchange fresh random cases with another program, both ways.",
            usage: "closer-keys vectors live [<options>] [<operation> ...] -- <command> [<argument> ...]")

        @Option(
            help: ArgumentHelp(
                "How many cases of each operation: at least two for those that seal, and a fiftieth for those with Argon2id.",
                valueName: "number"))
        var count = 100
        @OptionGroup var adapter: AdapterOptions
        @Argument(
            help: ArgumentHelp(
                "Operations; by default all that the program has.", valueName: "operation"),
            completion: .list(VectorOperation.withLiveCases.map(\.name)))
        var operations: [String] = []
        @OptionGroup var report: ReportOptions

        func run() throws {
            try adapter.check(command, "live")
            guard (1...100_000).contains(count) else { throw CLIError(.usage, "--count takes 1 to 100000") }
            let selected = try selected()
            var inputs = Inputs()
            let result = try report.prepare(&inputs)
            var implementation = try adapter.start(command)
            let asked = selected ?? Self.shared(with: implementation)
            let results = try asked.map { try LiveRunner.run($0, count: count, with: &implementation) }
            implementation.stop()
            let absent =
                selected == nil
                ? VectorOperation.withLiveCases.map(\.name).filter { !implementation.features.contains($0) }
                : []
            let outcome = Report(
                files: results, minimumCoverage: adapter.minCoverage, of: .operation,
                unknownFeatures: implementation.unknownFeatures, absentOperations: absent)
            try report.deliver(outcome, to: result, hint: outcome.hint)
        }

        /// The operations that are named, each once; nil if none is named.
        private func selected() throws -> [VectorOperation]? {
            let names = try withoutCommand(operations)
            guard !names.isEmpty else { return nil }
            var selected: [VectorOperation] = []
            for name in names where !selected.contains(where: { $0.name == name }) {
                guard let operation = VectorOperation.withLiveCases.first(where: { $0.name == name }) else {
                    throw CLIError(
                        .usage, "no operation '\(name)' has live cases",
                        hint: Self.hint(for: name))
                }
                selected.append(operation)
            }
            return selected
        }

        private static func hint(for name: String) -> String {
            NearName.of(name, among: VectorOperation.withLiveCases.map(\.name)).map { "did you mean \($0)?" }
                ?? "these have: \(names(like: name).joined(separator: ", "))"
        }

        /// The operations that begin with the same word as `name`, or all of them if none does.
        private static func names(like name: String) -> [String] {
            let (names, word) = (VectorOperation.withLiveCases.map(\.name), name.prefix { $0 != "." })
            let similar = names.filter { $0.hasPrefix("\(word).") }
            return similar.isEmpty ? names : similar
        }

        /// The operations that the program has. If it has none, it is asked all of them and skips all of them, so that the
        /// report says that it has shown nothing.
        private static func shared(with implementation: Adapter) -> [VectorOperation] {
            let shared = VectorOperation.withLiveCases.filter { implementation.features.contains($0.name) }
            return shared.isEmpty ? VectorOperation.withLiveCases : shared
        }
    }
}
#endif
