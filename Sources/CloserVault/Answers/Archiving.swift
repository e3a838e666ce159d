internal import CloserKeys
internal import CloserWire

extension Vault {
    /// In which couples a reveal also makes an ``/CloserKeys/AnswerArchive`` of both answers.
    public enum Archiving: Sendable {
        /// Only where the couple is ``PairingState/paired`` or ``PairingState/rekeyed``: otherwise the server may hold the key that opens it.
        case ifPrivate
        /// Also where the server may hold the key.
        case always
    }
}

extension Transaction {
    /// The archive as a field of the couple; nil if none is asked for. Before our release it would be one without a record: the partner
    /// has the couple key.
    func archive(
        _ ours: StoredAnswer, own: OwnAnswer?, _ theirs: AnswerRevelation, of partner: UserID,
        _ archiving: Vault.Archiving?
    ) throws(VaultError) -> FieldToken? {
        guard let archiving else { return nil }
        guard ours.oneTimeKey != nil else { throw .answer(.keyNotKept) }
        guard ours.isReleased else { throw .answer(.notReleased) }
        let couple = try couple(ours.couple)
        let state = try state(of: couple)
        guard archiving == .always || state == .paired || state == .rekeyed else {
            throw .answer(.archiveReadable)
        }
        let archive = AnswerArchive(
            of: try ours.context(author: ours.author), at: ours.place, ours: try ours.payload(own),
            partner: partner, theirs.answer, theirs.authenticity)
        let place = AnswerArchive.fieldPlace(of: ours.question, at: ours.place)
        do { return try couple.fieldKey().seal(archive.bytes, place: place) } catch {
            preconditionFailure("two payloads fit into a field")
        }
    }
}

extension StoredAnswer {
    /// Our payload, from the text that is kept, or that `own` brings.
    fileprivate func payload(_ own: OwnAnswer?) throws(VaultError) -> [UInt8] {
        guard let oneTimeKey, let key = try? OneTimeKey(oneTimeKey) else { throw .answer(.keyNotKept) }
        guard let token = token ?? own?.document.token else { throw .answer(.textNotKept) }
        let answer = UncheckedAnswer(token: token, commitment: commitment)
        do { return try answer.open(with: key, of: try context(author: author)) } catch let error
            as RevealError
        {
            throw .reveal(error)
        } catch {
            throw .answer(.reservedQuestion)
        }
    }
}
