package import CloserPrimitives
package import CloserWire

// CloserPrimitives knows no error ids: here are those of its errors, a bare primitive's no and want of memory.

extension AESGCM.AuthenticationFailure: IdentifiedError {
    package var errorID: ErrorID { .authFailed }
}

extension P256.KeyError: IdentifiedError {
    package var errorID: ErrorID { .authFailed }
}

extension X25519.AgreementError: IdentifiedError {
    package var errorID: ErrorID { .authFailed }
}

extension MemoryShortage: WordedError {
    package var words: ErrorWords { ErrorWords(.limit, message, advice, typing: "ulimit -v shows it") }
}
