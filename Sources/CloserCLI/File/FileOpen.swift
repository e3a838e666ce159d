internal import ArgumentParser
internal import CloserTink
internal import CloserVault
internal import CloserWire

extension FileCommand {
    struct Open: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "open",
            abstract:
                "Open a stream and give back the file, verbatim. Only -o waits until all of it has opened.")

        @OptionGroup var options: FileOptions

        func run() throws {
            try options.run(.verbatim) { key, input, output in
                var opener = try key.aead.opener(associatedData: options.associatedData.utf8)
                do {
                    let (bytesIn, bytesOut) = try opener.move(from: input, to: &output)
                    let keyID = opener.keyID ?? 0
                    key.couple?.tellIfOlder(keyID, "file")
                    return StreamCounts(keyID: keyID, bytesIn: bytesIn, bytesOut: bytesOut)
                } catch let error as OpenError {
                    throw CLIError(ofStream: error, isPartWritten: output.hasShownPart)
                }
            }
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
