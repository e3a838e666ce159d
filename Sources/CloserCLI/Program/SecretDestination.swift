internal import CloserFiles
internal import CloserPrimitives
internal import CloserSystem
internal import CloserWire

/// Where a new recovery phrase or a pairing code goes: into a file that is still hidden, or onto the terminal, once.
struct SecretDestination: ~Copyable {
    private let secret: Secret
    private var file: Output?
    let terminal: Terminal?

    enum Secret: String {
        case phrase, code

        private var option: String { "--\(rawValue)-file" }
        private var name: String { self == .phrase ? "recovery phrase" : rawValue }

        fileprivate func openTerminal(mayAsk: Bool) throws -> Terminal {
            guard mayAsk, let terminal = Terminal.open() else {
                throw CLIError(
                    .inputRequired, "there is no terminal to show the \(name) on",
                    hint: "use \(option)")
            }
            return terminal
        }

        fileprivate func newFile(_ path: String, _ inputs: inout Inputs) throws -> Output {
            guard path != "-" else {
                throw CLIError(
                    .usage, "\(option) needs the name of a file, not -",
                    hint: "without it the \(name) is shown on the terminal")
            }
            guard !Paths.isRegular(path) else { throw inTheWay(path) }
            do {
                let file = try Output(file: path, .secretLine, inputs: inputs)
                inputs.claim(file, at: path)
                return file
            } catch FileError.exists(let path) { throw inTheWay(path) }
        }

        fileprivate func inTheWay(_ path: String) -> CLIError {
            CLIError(
                .inputRequired, "\(path) exists", hint: "name another file: a \(rawValue) needs a new one")
        }
    }

    private init(_ secret: Secret, file: consuming Output?, terminal: consuming Terminal?) {
        self.secret = secret
        self.file = file
        self.terminal = terminal
    }

    /// For a secret that its owner has already.
    init(nowhere secret: Secret) { self.init(secret, file: nil, terminal: nil) }

    /// Claims a place for the secret before anything is changed: the file, or else the terminal.
    init(_ secret: Secret, file path: String?, _ inputs: inout Inputs, mayAsk: Bool) throws {
        guard let path else {
            self.init(secret, file: nil, terminal: try secret.openTerminal(mayAsk: mayAsk))
            return
        }
        self.init(secret, file: try secret.newFile(path, &inputs), terminal: nil)
    }

    /// Writes the secret before the change that needs it. If the change fails, the file is removed again. If the program is killed in
    /// between, the file stays with a void secret.
    ///
    /// False if the secret is for the terminal.
    mutating func write(_ text: borrowing SecretBytes, before change: () throws -> Void) throws -> Bool {
        guard let file = file.take() else { return false }
        do { try file.deliver(text, before: change) } catch FileError.exists(let path) {
            throw secret.inTheWay(path)
        }
        return true
    }
}
