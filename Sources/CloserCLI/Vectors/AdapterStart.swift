internal import CloserConformance
internal import CloserFiles
internal import CloserSystem
internal import CloserVectors
internal import CloserWire

extension CLIError {
    init(_ fault: AdapterSession.Fault, starting command: [String]) {
        self =
            switch fault {
            case .process(.cannotStart(let reason), _): Self.cannotStart(command, reason.lowercased())
            case .process:
                Self.hinting(
                    CLIError(.ioError, "the program did not start: \(fault.words)"), FirstLine(of: command[0])
                )
            case .garbage:
                CLIError(
                    .foreignProgram, "the program did not start: \(fault.words)",
                    hint: "man closer-keys-vectors.7 describes the lines")
            }
    }

    private static func cannotStart(_ command: [String], _ reason: String) -> CLIError {
        let (name, line) = (Shown.short(command[0]), FirstLine(of: command[0]))
        if reason == "no such file or directory", let line, line.lacksInterpreter {
            let why = "its interpreter \(Shown.short(line.interpreter)) was not found"
            return hinting(CLIError(.noInput, "cannot start '\(name)': \(why)"), line)
        }
        let failure = CLIError(.noInput, "cannot start '\(name)': \(reason)")
        // A name with a space in it is most often a command that was quoted as one word.
        guard command[0].contains(" ") else { return failure }
        let words = Shown.short(command.joined(separator: " "))
        return failure.hinting("drop the quotes around the whole command: -- \(words)")
    }

    /// A failure, with a hint if the lines end as on Windows.
    private static func hinting(_ failure: CLIError, _ line: FirstLine?) -> CLIError {
        guard let line, line.endsInReturn else { return failure }
        return failure.hinting("its first line ends in a carriage return: save it with LF, not CR LF")
    }
}

/// The `#!` line of a script: if its interpreter is missing, the system says that the script is.
private struct FirstLine {
    let interpreter: String
    let endsInReturn: Bool

    /// The limit of Linux.
    private static let maximumByteCount = 256

    /// Nil for a program that is looked for along PATH, or is no script.
    init?(of path: String) {
        guard path.utf8.contains(UInt8(ascii: "/")), let file = try? Descriptor.readingRegular(path) else {
            return nil
        }
        var bytes: [UInt8] = []
        try? bytes.append(addingCapacity: Self.maximumByteCount) { _ = try file.read(into: &$0) }
        guard bytes.starts(with: "#!".utf8) else { return nil }
        let line = bytes.dropFirst(2).prefix { $0 != UInt8(ascii: "\n") }
        let words = line.split { " \t\r".utf8.contains($0) }
        interpreter = String(decoding: words.first ?? [], as: UTF8.self)
        endsInReturn = line.last == UInt8(ascii: "\r")
    }

    var lacksInterpreter: Bool { endsInReturn || Paths.isMissing(interpreter) }
}
