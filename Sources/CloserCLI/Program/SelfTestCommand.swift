internal import ArgumentParser
internal import CloserPrimitives
internal import CloserWire

struct SelfTestCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "self-test", abstract: "Compute a known answer with each primitive.")

    @OptionGroup(title: "Output options") var output: BriefOptions

    func run() throws {
        let test = try SelfTest.run()
        guard test.isPassed else {
            throw CLIError(
                .internal, "wrong answers: \(test.failed.joined(separator: ", "))",
                hint: "do not use this build")
        }
        let (taken, unlocked) = (test.memoryPieces, test.unlockedMemoryPieces)
        let memory =
            unlocked == 0
            ? "locked"
            : "\(unlocked) of \(taken) pieces could not be locked, and what is in those may reach a swap file"
        let lines = test.passed.map { "ok  \($0)" } + ["memory for secrets: \(memory)"]
        try Output(output).report(
            lines.joined(separator: "\n"),
            json: [
                "passed": .array(test.passed.map { .string($0) }),
                "memoryIsLocked": .bool(unlocked == 0), "memoryPieces": .number(Double(taken)),
                "unlockedMemoryPieces": .number(Double(unlocked)),
            ])
    }
}
