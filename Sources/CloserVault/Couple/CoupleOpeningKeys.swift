public import CloserKeys

extension Vault {
    /// What an extension without a vault needs to open the couple's fields, and with `profile` also the messages of its chat. For those,
    /// the partner's X25519 key must have come by a pairing. The chat of FitLink is named by the two users, `ChatID(ours, theirs)`; Fond's
    /// has the info ``/CloserKeys/ChatKey/fondInfo``, and the salt that the app derives its key with: with the id of the connection, two who
    /// link again get another key.
    ///
    /// Take the keys again after each change of the couple's key.
    ///
    /// - Throws: ``VaultError``: `.couple` with `.missing`, or with `.noChatKey`.
    public func openingKeys(
        of id: CoupleID, chat profile: OpeningKeys.Chat.Profile? = nil, fondSalt: some Collection<UInt8> = []
    ) throws(VaultError) -> OpeningKeys {
        let (couple, device, partners) = try read { (transaction) throws(VaultError) in
            (try transaction.couple(id), try transaction.device, try transaction.partners(of: id))
        }
        let chat: OpeningKeys.Chat?
        if let profile {
            chat = try device.openingChat(profile, fondSalt, with: partners)
        } else {
            chat = nil
        }
        return OpeningKeys(couple.fieldKey(), epoch: couple.epoch, chat: chat)
    }
}

extension Device {
    fileprivate func openingChat(
        _ profile: OpeningKeys.Chat.Profile, _ fondSalt: some Collection<UInt8>, with partners: [Partner]
    ) throws(VaultError) -> OpeningKeys.Chat {
        let known = partners.filter { $0.x25519Key != nil }
        guard known.count == 1, let partner = known.first, let theirs = partner.x25519Key else {
            throw .couple(.noChatKey)
        }
        do {
            guard profile == .fitLink else { return try .fond(ours: chatKey, theirs: theirs, salt: fondSalt) }
            return try .fitLink(ChatID(userID, partner.userID), ours: chatKey, theirs: theirs)
        } catch { throw .couple(.noChatKey) }
    }
}
