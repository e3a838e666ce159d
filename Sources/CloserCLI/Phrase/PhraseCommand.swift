#if CommandLine
internal import ArgumentParser
internal import CloserKeys
internal import CloserPrimitives
internal import CloserWire

struct PhraseCommand: CommandGroup {
    static let configuration = CommandConfiguration(
        commandName: "phrase", abstract: "Make and check recovery phrases.",
        subcommands: [New.self, Check.self])

    struct New: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "new",
            abstract: "Make a recovery phrase of ten words. It is shown on the terminal, or written with -o.")

        @Flag(help: "Fail where the terminal would be used.") var noInput = false
        @OptionGroup(title: "Output options") var output: OutputOptions

        func run() throws {
            let phrase = RecoveryPhrase.random()
            guard output.output == nil, !output.json else {
                return try Output(output, .secretLine, inputs: Inputs()).deliver(phrase.text, named: "phrase")
            }
            try SecretDestination(onTerminal: .phrase, mayAsk: !noInput, insteadOf: "-o").give(phrase) {}
        }
    }

    struct Check: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "check", abstract: "Say whether a recovery phrase looks right.",
            discussion:
                "It cannot say whether it opens anything; closer-keys couple recover --rehearse does that.")

        @OptionGroup var phrase: PhraseOptions
        @Flag(help: "Never ask; fail where a question would be asked.") var noInput = false
        @OptionGroup(title: "Output options") var output: OutputOptions

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
                try Output(output, .line, inputs: inputs).report(
                    "this looks like a recovery phrase", json: json)
            }
            if let words { throw CLIError.reported(words.message, hint: words.hint) }
        }
    }
}
#endif
