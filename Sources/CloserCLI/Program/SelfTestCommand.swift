internal import ArgumentParser
internal import CloserPrimitives
internal import CloserWire

struct SelfTestCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "self-test", abstract: "Compute a known answer with each primitive.")

    @OptionGroup(title: "Output options") var output: BriefOptions

    func run() throws {
        let tests = SelfTest.all
        let failed = try tests.filter { try !$0.passes() }.map(\.name)
        guard failed.isEmpty else {
            throw CLIError(
                .internal, "wrong answers: \(failed.joined(separator: ", "))", hint: "do not use this build")
        }
        let (taken, unlocked) = SelfTest.memory
        let memory =
            unlocked == 0
            ? "locked"
            : "\(unlocked) of \(taken) pieces could not be locked, and what is in those may reach a swap file"
        let lines = tests.map { "ok  \($0.name)" } + ["memory for secrets: \(memory)"]
        try Output(output).report(
            lines.joined(separator: "\n"),
            json: [
                "passed": .array(tests.map { .string($0.name) }),
                "memoryIsLocked": .bool(unlocked == 0), "memoryPieces": .number(Double(taken)),
                "unlockedMemoryPieces": .number(Double(unlocked)),
            ])
    }
}
