internal import ArgumentParser
internal import CloserKeys
internal import CloserPrimitives
internal import CloserVault
internal import CloserWire

extension CoupleCommand {
    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "Show a couple, or print one of its documents.")

        @Flag(help: "Print the JSON document that the app's server stores for the couple.") var document =
            false
        @Flag(help: "Print the secret invite again, if it was made here.") var invite = false
        @Flag(help: "With --invite: put its phrase under another code first.") var newCode = false
        @OptionGroup var couple: CoupleChoice
        @OptionGroup(title: "Output options") var output: OutputOptions

        func run() throws {
            guard !document || !invite, invite || !newCode else {
                throw CLIError(.usage, "use either --document or --invite, with which --new-code goes")
            }
            var inputs = Inputs()
            let (vault, id) = try couple.open(&inputs)
            if document {
                let bytes = try vault.couple(id).document.bytes
                return try Output(output, .json, inputs: inputs).deliver(bytes, named: "couple")
            }
            let summary = try CoupleSummary(id, vault)
            guard invite else {
                return try Output(output, .line, inputs: inputs).report(summary.lines, json: summary.json)
            }
            try (newCode ? vault.renewInvite(of: id) : vault.invite(of: id)).withBytes {
                Diagnostics.note("a reader of the invite can read the couple until you rekey")
                try Output(output, .secretLine, inputs: inputs).deliver(
                    $0, named: "invite", details: summary.members)
            }
        }
    }
}
