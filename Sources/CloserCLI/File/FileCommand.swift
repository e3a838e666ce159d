internal import ArgumentParser
internal import CloserTink

struct FileCommand: CommandGroup {
    static let configuration = CommandConfiguration(
        commandName: "file", abstract: "Seal and open files of any length, in constant memory.",
        subcommands: [Seal.self, Open.self])

    struct Seal: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Seal a file, verbatim, into a stream of segments.")

        @OptionGroup var options: FileOptions

        func run() throws {
            try options.run(.binary) { aead, input, output in
                var sealer = try aead.sealer(associatedData: options.associatedData.utf8)
                let (bytesIn, bytesOut) = try sealer.move(from: input, to: &output)
                return StreamCounts(keyID: sealer.keyID, bytesIn: bytesIn, bytesOut: bytesOut)
            }
        }
    }

    struct Open: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract:
                "Open a stream and give back the file, verbatim. Only -o waits until all of it has opened.")

        @OptionGroup var options: FileOptions

        func run() throws {
            try options.run(.verbatim) { aead, input, output in
                var opener = try aead.opener(associatedData: options.associatedData.utf8)
                do {
                    let (bytesIn, bytesOut) = try opener.move(from: input, to: &output)
                    return StreamCounts(keyID: opener.keyID ?? 0, bytesIn: bytesIn, bytesOut: bytesOut)
                } catch let error as OpenError {
                    throw Failure(ofStream: error, isPartWritten: output.hasShownPart)
                }
            }
        }
    }
}
