internal import CloserWire

/// How a run ended, for scripts. A number keeps its meaning.
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

    /// The name scripts compare: the `code` of an error in JSON. Written out: to ask the runtime for a case's name takes a
    /// sixth of a short run.
    var id: String {
        switch self {
        case .ok: "ok"
        case .interrupted: "interrupted"
        case .terminated: "terminated"
        default: error?.rawValue ?? ""
        }
    }

    /// The error of the same name; nil for success and for a signal.
    var error: ErrorID? {
        switch self {
        case .ok, .interrupted, .terminated: nil
        case .negative: .negative
        case .internal: .internal
        case .authFailed: .authFailed
        case .noKey: .noKey
        case .malformed: .malformed
        case .limit: .limit
        case .inputRequired: .inputRequired
        case .notYet: .notYet
        case .partial: .partial
        case .usage: .usage
        case .noInput: .noInput
        case .cantCreate: .cantCreate
        case .ioError: .ioError
        }
    }
}

extension ErrorID {
    var status: ExitStatus {
        switch self {
        case .negative, .commitmentMismatch, .epochMismatch, .keyMismatch, .partnerKeyMismatch, .pinMismatch,
            .placeMismatch, .inviteUsed, .notAMember, .safetyNumberMismatch, .serverForgeable,
            .vectorsChanged, .repeated, .expired, .fromFuture, .olderKey:
            .negative
        case .internal: .internal
        case .authFailed, .codeMismatch, .macInvalid: .authFailed
        case .noKey, .keyGone: .noKey
        case .malformed, .unsupportedVersion, .foreignProgram, .phraseRefused: .malformed
        case .limit: .limit
        case .inputRequired: .inputRequired
        case .notYet, .downgrade, .inviteClosed, .olderCopy, .otherPartner, .partnerKeyChanged,
            .serverKnown, .unauthenticated, .unbound, .preview, .vaultReplaced, .vaultRolledBack:
            .notYet
        case .partial: .partial
        case .usage: .usage
        case .noInput: .noInput
        case .cantCreate: .cantCreate
        case .ioError: .ioError
        }
    }
}
