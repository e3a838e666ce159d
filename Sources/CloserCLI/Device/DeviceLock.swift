internal import ArgumentParser
internal import CloserWire

extension DeviceCommand {
    struct Lock: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "lock", abstract: "Undo device unlock. Needs no passphrase.",
            discussion: """
                Locks every vault that was unlocked in this login. A vault that another login unlocked stays unlocked until its time runs out.
                """)

        @OptionGroup(title: "Output options") var output: BriefOptions

        func run() throws {
            let count = try UnlockedVault.lockAll()
            let text = count == 0 ? "no vault was unlocked" : "locked \(count) vault\(count == 1 ? "" : "s")"
            try Output(output).report(text, json: ["locked": .number(Double(count))])
        }
    }
}
