internal import CloserSystem
internal import CloserVault

extension VaultError {
    /// The hints that depend on what was typed: they name the vault, the couple and the question of this run. Nil where the error's own
    /// words say enough.
    var hint: String? {
        switch self {
        case .missing(let path), .notAVault(let path):
            if KnownVaults.isKnown(at: path) {
                return
                    "this machine knows a vault there: bring it back, or make it from an export: closer-keys device import; device init would make another one"
            }
            guard case .missing = self else { return "name another file with --vault" }
            return
                "closer-keys device init --user ID --key-file FILE makes one; without --key-file it takes a passphrase"
        case .exists: return "name another file with --vault, or move that one away"
        case .couple(.missing):
            return
                "\(NextCommand.line("couple status")) shows those that it has; pair invite or pair accept makes one"
        case .couple(.exists):
            return
                "\(NextCommand.line("couple status")) says where it stands; couple forget removes it"
        case .answer(.exists(true)):
            return "\(Self.answerStatus) --document prints it again, --replace seals another"
        case .answer(.exists(false)): return "\(Self.answerStatus) says where it stands"
        default: return nil
        }
    }

    private static var answerStatus: String {
        let isNamed = ProcessArguments.value(of: "--question") != nil
        return NextCommand.line(
            isNamed ? "answer status" : "answer status --question QUESTION",
            with: ["--couple", "--question", "--place"])
    }
}
