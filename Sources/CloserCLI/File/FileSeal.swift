internal import ArgumentParser
internal import CloserTink

extension FileCommand {
    struct Seal: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "seal", abstract: "Seal a file, verbatim, into a stream of segments.")

        @OptionGroup var options: FileOptions

        func run() throws {
            try options.run(.binary) { key, input, output in
                var sealer = try key.aead.sealer(associatedData: options.associatedData.utf8)
                key.couple?.tellIfServerKnown()
                let (bytesIn, bytesOut) = try sealer.move(from: input, to: &output)
                return StreamCounts(keyID: sealer.keyID, bytesIn: bytesIn, bytesOut: bytesOut)
            }
        }
    }
}
