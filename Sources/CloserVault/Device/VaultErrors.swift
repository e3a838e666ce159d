public import CloserPrimitives
internal import CloserWire

// The public errors of this module: their words stand beside them.

extension AnswerError: CloserError {}
extension ChatError: CloserError {}
extension CoupleError: CloserError {}
extension DeviceLink.Code.FormatError: CloserError {}
extension DeviceLink.Failure: CloserError {}
extension FileStreamError: CloserError {}
extension PairingStepError: CloserError {}
extension RekeyError: CloserError {}
extension VaultError: CloserError {}
extension VerificationError: CloserError {}
