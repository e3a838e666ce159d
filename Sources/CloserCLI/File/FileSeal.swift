internal import ArgumentParser
internal import CloserFiles
internal import CloserKeys
internal import CloserTink
internal import CloserWire

extension FileCommand {
    struct Seal: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "seal", abstract: "Seal a file, verbatim, into a stream of segments.")

        @Option(file: "Seal under a new key, and write what opens the file, for a message, to this file.")
        var attachOut: String?
        @Option(help: ArgumentHelp("What the file is, for --attach-out: image/jpeg.", valueName: "type"))
        var mime: String?
        @OptionGroup var options: FileOptions

        func run() throws {
            if let attachOut { return try seal(attachOut) }
            guard mime == nil else { throw CLIError(.usage, "--mime needs --attach-out") }
            try options.run(.binary) { key, input, output in
                var sealer = try key.aead.sealer(associatedData: options.associatedData.utf8)
                key.couple?.tellIfServerKnown()
                return key.details(sealer.keyID) + (try sealer.move(from: input, to: &output))
            }
        }

        private func seal(_ attachOut: String) throws {
            try options.refuseKeys(besides: "--attach-out")
            guard attachOut != "-" else {
                throw CLIError(.usage, "--attach-out needs the name of a file, not -")
            }
            var inputs = Inputs()
            let input = try inputs.open(options.file)
            var beside = try Output.beside(options.output, attachOut, .secretLine, inputs: &inputs)
            try options.write(.binary, inputs) { output in
                var sealer = AttachmentSealer()
                let details = try sealer.move(from: input, to: &output)
                // A descriptor has no name.
                let path = options.file.flatMap { InputName.descriptor($0) == nil ? $0 : nil }
                let attachment = sealer.attachment(
                    named: path.map(Paths.name) ?? "file", mimeType: mime ?? "application/octet-stream")
                // First, so that no file is sealed under a key that is gone.
                try beside.take()?.deliver(attachment.bytes, named: "attachment")
                return details
            }
        }
    }
}
