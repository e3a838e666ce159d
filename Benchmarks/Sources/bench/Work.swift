/// What both providers do, by the name under which the second program is asked for it.
enum Work: String, CaseIterable {
    case aeadSeal, aeadOpen, fieldSeal, fieldOpen, keyboxSeal, keyboxOpen, chatOpen, agreement, pieceSeal,
        pieceOpen

    /// With keys and messages of its own: the two programs share nothing.
    func contestant() throws -> any Contestant {
        switch self {
        case .aeadSeal: try OurAEAD.Seal(peer: OurAEAD(.field))
        case .aeadOpen: try OurAEAD.Open(peer: OurAEAD(.field))
        case .fieldSeal: try OurField.Seal(peer: OurField(.field))
        case .fieldOpen: try OurField.Open(peer: OurField(.field))
        case .keyboxSeal: try OurKeybox.Seal(peer: OurKeybox(.key))
        case .keyboxOpen: try OurKeybox.Open(peer: OurKeybox(.key))
        case .chatOpen: try OurChat.FitLink(peer: OurChat(.field, ChatPair()))
        case .agreement: try OurAgreement(pair: ChatPair())
        case .pieceSeal: try OurPiece.Seal(peer: OurPiece(.piece))
        case .pieceOpen: try OurPiece.Open(peer: OurPiece(.piece))
        }
    }
}
