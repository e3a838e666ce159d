internal import ArgumentParser
internal import CloserFiles
internal import CloserKeys
internal import CloserTink
internal import CloserVault
internal import CloserWire

extension FileCommand {
    struct Open: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "open",
            abstract:
                "Open a stream and give back the file, verbatim. Only -o waits until all of it has opened.")

        @Option(file: "What --attach-out wrote, or a message's payload, instead of a couple.")
        var attachment: String?
        @OptionGroup var options: FileOptions

        func run() throws {
            if let attachment { return try open(attachment) }
            try options.run(.verbatim) { key, input, output in
                var opener = try key.aead.opener(associatedData: options.associatedData.utf8)
                let details = try opener.moveAll(from: input, to: &output)
                let keyID = opener.keyID ?? 0
                key.couple?.tellIfOlder(keyID, "file")
                return key.details(keyID) + details
            }
        }

        private func open(_ path: String) throws {
            try options.refuseKeys(besides: "--attachment")
            var inputs = Inputs()
            let json = try inputs.secret(path, maximumByteCount: ChatMessage.maximumByteCount)
            inputs.warnIfOpenToOthers(path)
            let attachment = try Attachment(parsing: json)
            guard let file = options.file, !InputName.isStandardInput(file),
                let input = try inputs.openRegular(file)
            else {
                throw CLIError(.usage, "--attachment reads its input twice: name a regular file")
            }
            try options.write(.verbatim, inputs) { output in
                try attachment.check(file)
                var opener = attachment.opener()
                return try opener.moveAll(from: input, to: &output)
            }
        }
    }
}

extension StreamOpener {
    fileprivate mutating func moveAll(
        from input: borrowing Descriptor, to output: inout Output
    ) throws -> [JSONValue.Member] {
        do { return try move(from: input, to: &output) } catch let error as OpenError {
            throw CLIError(ofStream: error, isPartWritten: output.hasShownPart)
        }
    }
}

extension CLIError {
    /// A stream may also fail because a part is missing, and the reader of a pipe must learn that a part is missing.
    fileprivate init(ofStream error: OpenError, isPartWritten: Bool) {
        guard error == .authenticationFailed else {
            self.init(error)
            return
        }
        guard isPartWritten else {
            self.init(.authFailed, "it does not open: \(FileStreamError.reasons)")
            return
        }
        self.init(
            .authFailed,
            "it does not open to its end: \(FileStreamError.reasons); what was written is only a part of the file",
            hint: "throw that part away; with -o a file appears only when all of it has opened")
    }
}
