internal import CloserPrimitives

/// What this run has done to a vault, which an error afterwards must still report.
enum VaultDeed: String {
    case made, changed

    private static let last = Lock<VaultDeed?>(nil)

    func note() {
        Self.last.withLock { $0 = self }
        Exit.prepareLastWords()
    }

    static var isNone: Bool { last.withLock { $0 == nil } }

    private static let refusal = Lock(false)

    /// This machine refused to remember a state that this run has stored.
    static func noteRefusal() { refusal.withLock { $0 = true } }

    /// Whether an error may be told of a change that is stored all the same.
    static var isRefused: Bool { refusal.withLock { $0 } }

    /// A failure, to which it adds what this run had done to the vault before.
    static func told(with failure: CLIError) -> CLIError {
        last.withLock { $0 }.map { failure.adding("the vault was \($0.rawValue) before that") } ?? failure
    }
}
