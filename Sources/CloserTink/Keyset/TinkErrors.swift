public import CloserPrimitives
internal import CloserWire

// The public errors of this module: their words stand beside them.

extension HybridSealError: CloserError {}
extension KeysetError: CloserError {}
extension OpenError: CloserError {}
extension StreamingAEAD.SealError: CloserError {}
