public import CloserPrimitives
internal import CloserWire

// The public errors of this module, and that of CloserPrimitives: their words stand beside them.

extension AnswerArchive.FormatError: CloserError {}
extension AnswerPayloadError: CloserError {}
extension AnswerPlace.FormatError: CloserError {}
extension Attachment.FormatError: CloserError {}
extension ChatChannel.OpenError: CloserError {}
extension ChatFormatError: CloserError {}
extension ChatMessage.FormatError: CloserError {}
extension ChatOpenError: CloserError {}
extension ChatSealError: CloserError {}
extension DocumentCheckError: CloserError {}
extension DocumentError: CloserError {}
extension DocumentPath.FormatError: CloserError {}
extension FieldError: CloserError {}
extension FieldPlace.FormatError: CloserError {}
extension Identifier.FormatError: CloserError {}
extension InviteCode.FormatError: CloserError {}
extension JSONFault: CloserError {}
extension MemoryShortage: CloserError {}
extension MigrationError: CloserError {}
extension Misspelling: CloserError {}
extension OpeningKeys.FormatError: CloserError {}
extension PairingCode.FormatError: CloserError {}
extension PairingError: CloserError {}
extension PublicKeyToken.FormatError: CloserError {}
extension RecoveryPhrase.FormatError: CloserError {}
extension RekeyDocumentError: CloserError {}
extension RevealError: CloserError {}
extension SafetyNumber.FormatError: CloserError {}
extension TokenError: CloserError {}
extension UnwrapError: CloserError {}
extension X25519KeyError: CloserError {}
