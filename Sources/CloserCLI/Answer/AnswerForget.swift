internal import ArgumentParser
internal import CloserKeys
internal import CloserSystem
internal import CloserVault
internal import CloserWire

extension AnswerCommand {
    struct Forget: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "forget",
            abstract: "Drop the keys of answers that are released, revealed and in an archive.",
            discussion: "What you committed to and what is pinned stay.")

        @Option("Of the daily answers, those before this day.", value: "YYYY-MM-DD") var before: String?
        @Option("The answer to this question.", value: "id") var question: String?
        @Flag(help: "Confirm; without this, the terminal asks.") var yes = false
        @OptionGroup var place: PlaceOption
        @OptionGroup var couple: CoupleChoice
        @OptionGroup(title: "Output options") var output: BriefOptions

        func run() throws {
            let (day, place) = (try before.map { try AnswerPlace(parsing: "daily:\($0)") }, try place.parsed)
            guard (before == nil) != (question == nil), place == nil || question != nil else {
                throw CLIError(.usage, "name either --before, or --question, with which --place goes")
            }
            var inputs = Inputs()
            let (vault, couple) = try couple.open(&inputs)
            let (all, forgettable) = (try vault.answers(of: couple), try vault.forgettableAnswers(of: couple))
            let names: [AnswerName]
            if let question {
                let name = AnswerName(
                    couple: couple, question: try QuestionID(parsing: question), place: place)
                let answer = try vault.answer(name).overview
                guard forgettable.contains(answer) else { throw VaultError.answer(.notArchived) }
                names = [answer.name]
            } else {
                names = Self.names(before: day, among: forgettable, of: all)
            }
            if !yes, !names.isEmpty { try confirm(names.count) }
            try vault.forget(answers: names)
            try Output(output).report(
                "answers forgotten: \(names.count)", json: ["forgotten": .number(Double(names.count))])
        }

        private static func names(
            before day: AnswerPlace?, among forgettable: [AnswerOverview], of all: [AnswerOverview]
        ) -> [AnswerName] {
            guard let day else { return [] }
            let older = forgettable.filter { $0.isBefore(day) }
            let kept = all.count { $0.isBefore(day) && $0.isKeyKept } - older.count
            if kept > 0 {
                Diagnostics.note(
                    "answers that stay, because each still needs a release, a reveal or an archive: \(kept)"
                )
            }
            return older.map(\.name)
        }

        private func confirm(_ count: Int) throws {
            let loss = "this device can never release these answers again: \(count)"
            guard couple.mayAsk, let terminal = Terminal.open() else {
                throw CLIError(.inputRequired, loss, hint: "use --yes")
            }
            try terminal.confirm("\(loss). forget them?", or: "nothing was forgotten")
        }
    }
}
