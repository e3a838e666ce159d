import Testing

/// A command that changes a vault, and what must hold after it was killed.
struct KillScene: Sendable, CustomTestStringConvertible, CustomStringConvertible {
    let description: String
    let arguments: String
    /// The file that is written.
    let vault: String
    /// The file that a change of the vault locks.
    var lock: String { "\(vault).lock" }
    /// The file of the folder that is standard input, if any.
    let standardInput: String?
    /// How often it is killed, compared with the others.
    let weight: Int
    /// Checks everything, runs the command again, and names the state that was found; nil if it is neither.
    let check: @Sendable (Killed) throws -> String?

    init(
        _ description: String, _ arguments: String, vault: String, input: String? = nil, weight: Int,
        check: @escaping @Sendable (Killed) throws -> String?
    ) {
        (self.description, self.arguments, self.vault) = (description, arguments, vault)
        (standardInput, self.weight, self.check) = (input, weight, check)
    }

    var testDescription: String { description }

    /// Keys and digits differ from run to run.
    func arguments(_ base: KilledCouple) -> String {
        arguments.replacing("BOBS_KEY", with: base.bobsKey).replacing("DIGITS", with: base.digits)
            .replacing("OLD_KEY", with: base.oldKeyID)
    }

    func input(_ base: KilledCouple) throws -> String {
        try standardInput.map { try base.text($0) } ?? "{\"answer\":\"of a\"}"
    }

    static let all = devices + couples + answers + rekeys + pairings
}
