extension Keyset {
    /// Tries the keys that a ciphertext may be meant for, and returns the id of the one that opened it.
    ///
    /// Tink's order: every enabled key whose prefix is the first five bytes, then every enabled key without
    /// a prefix on the whole. `attempt` gets a key and what follows its prefix.
    func firstToOpen(
        _ ciphertext: Span<UInt8>, _ attempt: (KeyMaterial, Span<UInt8>) throws(OpenError) -> Void
    ) throws(OpenError) -> UInt32 {
        var failure = OpenError.noMatchingKey
        let body = ciphertext.extracting(droppingFirst: min(OutputPrefix.byteCount, ciphertext.count))
        for entry in entries
        where entry.status == .enabled && entry.prefix.begins(ciphertext, keyID: entry.id) {
            if try opens(entry, body, attempt, &failure) { return entry.id }
        }
        for entry in entries where entry.status == .enabled && entry.prefix == .raw {
            if try opens(entry, ciphertext, attempt, &failure) { return entry.id }
        }
        throw failure
    }

    /// Whether this key opened it; if not, `failure` says the more telling of the reasons so far.
    private func opens(
        _ entry: KeyEntry, _ body: Span<UInt8>,
        _ attempt: (KeyMaterial, Span<UInt8>) throws(OpenError) -> Void, _ failure: inout OpenError
    ) throws(OpenError) -> Bool {
        guard let material = entry.material else { return false }
        do {
            try attempt(material, body)
            return true
        } catch .tooShort {
            if failure == .noMatchingKey { failure = .tooShort }
        } catch .noMatchingKey {
            // A key of another kind: not the one that is meant.
        } catch {
            failure = error
        }
        return false
    }
}

/// A plaintext and the key that opened it.
public struct Opened: Sendable {
    public let plaintext: [UInt8]
    public let keyID: UInt32
}
