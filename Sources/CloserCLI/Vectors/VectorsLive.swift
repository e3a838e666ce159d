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
                "Operations, which it must have; field is all that begin with field. By default all that it has.",
                valueName: "operation"),
            completion: .list(VectorOperation.withLiveCases.map(\.name)))
        var operations: [String] = []
        @OptionGroup var report: ReportOptions

        func run() throws {
            try adapter.check(command, "live")
            guard (1...100_000).contains(count) else { throw CLIError(.usage, "--count takes 1 to 100000") }
            let (named, alsoRequired) = (try named(), try adapter.required(of: VectorOperation.withLiveCases))
            var inputs = Inputs()
            let result = try report.prepare(&inputs)
            var implementation = try adapter.start(command)
            let asked = named.isEmpty ? Self.shared(with: implementation) : named
            let results = try asked.map { try LiveRunner.run($0, count: count, with: &implementation) }
            implementation.stop()
            let absent =
                named.isEmpty
                ? VectorOperation.withLiveCases.map(\.name).filter { !implementation.features.contains($0) }
                : []
            let outcome = Report(
                files: results, minimumCoverage: adapter.minCoverage.value, of: .operation,
                requiredOperations: named.map(\.name) + alsoRequired, features: implementation.features,
                unknownFeatures: implementation.unknownFeatures, absentOperations: absent)
            try report.deliver(outcome, to: result, hint: outcome.hint)
        }

        /// The operations that are named, each once. The program must have them.
        private func named() throws -> [VectorOperation] {
            var named: [VectorOperation] = []
            for name in try withoutCommand(operations) {
                for operation in try Self.operations(name)
                where !named.contains(where: { $0.name == operation.name }) {
                    named.append(operation)
                }
            }
            return named
        }

        private static func operations(_ name: String) throws -> [VectorOperation] {
            let operations = OperationNames.named(name, among: VectorOperation.withLiveCases)
            guard operations.isEmpty else { return operations }
            throw CLIError(
                .usage, "no operation '\(name)' has live cases",
                hint: OperationNames.hint(for: name, among: VectorOperation.withLiveCases))
        }

        /// The operations that the program has. A program that lists none is asked all of them, and skips them in the report.
        private static func shared(with implementation: Adapter) -> [VectorOperation] {
            let shared = VectorOperation.withLiveCases.filter { implementation.features.contains($0.name) }
            return shared.isEmpty ? VectorOperation.withLiveCases : shared
        }
    }
}
