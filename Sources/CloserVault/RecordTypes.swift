// The one place that knows every noun's record: an import checks each of them by its kind.

extension RecordKind {
    var type: any Record.Type {
        switch self {
        case .device: Device.self
        case .couple: Couple.self
        case .invite: StoredInvite.self
        case .rekey: StoredRekey.self
        case .partner: Partner.self
        case .answer: StoredAnswer.self
        case .versionPin: VersionPin.self
        case .pairing: StoredPairing.self
        case .phrase: StoredPhrase.self
        case .keptPhrase: KeptPhrase.self
        case .forgotten: ForgottenCouple.self
        case .policy: Policy.self
        case .olderCopy: OlderCopy.self
        case .person: Person.self
        case .chat: StoredChat.self
        }
    }
}
