internal import ArgumentParser
internal import CloserTink

extension KeysetCommand {
    struct Rotate: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "rotate",
            abstract: "Add a new key like the primary and make it the primary. The old ones still open.")

        @OptionGroup var change: ChangeOptions

        func run() throws { try change.apply { try $0.rotating() } }
    }
}
