/// How a run ended, for scripts. Numbers are appended to, never renumbered.
enum ExitStatus: Int32, CaseIterable, Sendable {
    case ok = 0
    case negative = 1
    case `internal` = 2
    case authFailed = 3
    case noKey = 4
    case malformed = 5
    case limit = 6
    case inputRequired = 7
    case notYet = 8
    case partial = 9
    case usage = 64
    case noInput = 66
    case cantCreate = 73
    case ioError = 74
    case interrupted = 130
    case terminated = 143

    /// The name scripts compare: the `code` of an error in JSON.
    var id: String { "\(self)" }

    var meaning: String {
        switch self {
        case .ok: "done for the whole input; verified"
        case .negative: "a definite no: what was to be verified does not hold"
        case .internal: "a bug of closer-keys; please report it"
        case .authFailed: "wrong key, phrase, code or context, or tampered; nobody can tell which"
        case .noKey: "no key here fits: unknown couple, key id or device"
        case .malformed: "not one of ours, not canonical, or an unsupported version"
        case .limit: "a size or cost limit was exceeded"
        case .inputRequired: "would have to prompt, overwrite, or print binary or secrets to a terminal"
        case .notYet: "something else must happen first"
        case .partial: "a batch ended with some records failed"
        case .usage: "wrong arguments"
        case .noInput: "an input file cannot be read"
        case .cantCreate: "an output file cannot be created"
        case .ioError: "reading or writing failed"
        case .interrupted: "interrupted from the keyboard"
        case .terminated: "told to end"
        }
    }
}
