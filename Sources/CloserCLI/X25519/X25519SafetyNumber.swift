internal import ArgumentParser
internal import CloserKeys
internal import CloserSystem
internal import CloserVault
internal import CloserWire

struct SafetyNumberCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "safety-number",
        abstract: "Print the digits that show two people whether a key was swapped.",
        discussion: "With --digits or --scanned it compares: exit 0 if they are the same, 1 if not.")

    @OptionGroup var privateKey: PrivateKeyOptions
    @Option("The owner of the private key; a vault knows it.", value: "id") var user: String?
    @Option("The owner of the other key.", value: "id") var partner: String
    @OptionGroup var peer: PeerKeyOptions
    @OptionGroup var comparison: SafetyNumberComparison
    @OptionGroup var picture: SafetyNumberPicture
    @OptionGroup(title: "Output options") var output: OutputOptions

    func run() throws {
        var inputs = try Inputs([.file(comparison.scanned)] + privateKey.inputNames)
        try picture.check(output, comparison)
        let theirs = SafetyNumber.Party(user: try UserID(parsing: partner), key: try peer.key)
        let number = SafetyNumber(try ours(&inputs), theirs)
        if let shown = try comparison.read(&inputs) {
            guard shown == number else { throw VerificationError.mismatch }
            return try Output(output, .line, inputs: inputs).report(
                "verified", json: ["verified": true, "safetyNumber": .string(number.description)])
        }
        try picture.deliver(number, output, inputs: inputs)
    }

    private func ours(_ inputs: inout Inputs) throws -> SafetyNumber.Party {
        let named = try user.map { try UserID(parsing: $0) }
        let (key, _, owner) = try privateKey.read(&inputs)
        guard let user = named ?? owner else {
            throw CLIError(.usage, "a private key file does not say whose it is", hint: "use --user")
        }
        return SafetyNumber.Party(user: user, key: key.publicKey)
    }
}

/// The number that the other side shows, if ours is to be compared with it.
struct SafetyNumberComparison: ParsableArguments {
    @Option("Compare with these digits; spaces and hyphens do not count.", value: "digits")
    var digits: String?
    @Option(file: "Compare with what a scanner read of a QR code.") var scanned: String?

    var isGiven: Bool { digits != nil || scanned != nil }

    /// The other side's number; nil if there is nothing to compare.
    func read(_ inputs: inout Inputs) throws -> SafetyNumber? {
        guard digits == nil || scanned == nil else {
            throw CLIError(.usage, "use either --digits or --scanned")
        }
        if let digits { return try SafetyNumber(typed: digits.utf8) }
        guard let scanned else { return nil }
        let bytes = try inputs.bytes(scanned, maximumByteCount: 1 << 20)
        return try FileKind.safetyNumber.read(bytes.span) { try SafetyNumber(scannedLine: bytes) }
    }
}

extension SafetyNumber {
    /// Takes what a scanner wrote, of which a final newline is cut off.
    fileprivate init(scannedLine bytes: [UInt8]) throws(SafetyNumber.FormatError) {
        try self.init(scanned: bytes.last == UInt8(ascii: "\n") ? bytes.dropLast() : bytes[...])
    }
}

/// How a safety number is shown: digits, and a code to be scanned.
struct SafetyNumberPicture: ParsableArguments {
    @Flag(help: "Print a QR code above the digits.") var qr = false
    @Option(
        help: ArgumentHelp("Write the QR code to this file: .svg or .png.", valueName: "file"),
        completion: .file(extensions: ["svg", "png"]))
    var qrFile: String?

    /// Refuses options that contradict each other, before anything is read.
    func check(_ output: OutputOptions, _ comparison: SafetyNumberComparison) throws {
        guard !comparison.isGiven || (!qr && qrFile == nil) else {
            throw CLIError(.usage, "a comparison shows no QR code")
        }
        guard qrFile.map({ $0.hasSuffix(".svg") || $0.hasSuffix(".png") }) ?? true else {
            throw CLIError(.usage, "--qr-file takes the name of a file that ends with .svg or .png")
        }
        guard !qr || !output.json else {
            throw CLIError(.usage, "--qr is for people: with --json, use --qr-file")
        }
        guard QRCode.libraryVersion != nil || (!qr && qrFile == nil) else {
            throw CLIError(.usage, "on a Mac this program draws no QR code", hint: "compare the digits")
        }
    }

    func deliver(_ number: SafetyNumber, _ output: OutputOptions, inputs: Inputs) throws {
        var inputs = inputs
        var picture: QRPicture { QRPicture(number.codeBytes) }
        let isSVG = qrFile?.hasSuffix(".svg") ?? false
        let file = try Output.beside(output, qrFile, isSVG ? .line : .binary, inputs: &inputs)
        let result = try Output(output, .line, inputs: inputs)
        try file?.deliver(isSVG ? picture.svg : picture.png, named: "picture")
        let isColoured =
            result.isTerminal && Environment.variable("NO_COLOR") == nil
            && Environment.variable("TERM") != "dumb"
        try result.report(
            qr ? "\(picture.text(isColoured: isColoured))\n\(number)" : number.description,
            json: ["safetyNumber": .string(number.description)])
    }
}
