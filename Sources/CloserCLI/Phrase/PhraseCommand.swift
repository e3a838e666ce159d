internal import ArgumentParser
internal import CloserKeys
internal import CloserPrimitives
internal import CloserWire

struct PhraseCommand: CommandGroup {
    static let configuration = CommandConfiguration(
        commandName: "phrase", abstract: "Check recovery phrases.", subcommands: [Check.self])

    struct Check: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "check", abstract: "Say whether a recovery phrase looks right.",
            discussion:
                "closer-keys couple recover --rehearse shows whether the phrase opens a couple's document.")

        @OptionGroup var phrase: PhraseOptions
        @Flag(help: "Fail instead of asking.") var noInput = false
        @OptionGroup(title: "Output options") var output: BriefOptions

        func run() throws {
            var inputs = Inputs()
            let advice = try phrase.read(&inputs, mayAsk: !noInput).advice()
            let words = advice.words
            let unknown = advice.unknownWords.map { JSONValue.number(Double($0)) }
            let json: JSONValue = [
                "looksRight": .bool(advice.isFaultless), "words": .number(Double(advice.wordCount)),
                "unknownWords": .array(unknown),
            ]
            if words == nil || output.json {
                try Output(output).report(
                    "this looks like a recovery phrase", json: json)
            }
            if let words { throw CLIError.reported(words.message, hint: words.hint) }
        }
    }
}
