import CPeers
import CloserPrimitives
import Crypto

/// Argon2id called from C, with v1's costs: libsodium's, and the reference in libargon2.
final class BareDerivation {
    fileprivate let derivation: OpaquePointer

    init(password: borrowing SecretBytes, salt: [UInt8]) {
        derivation = password.withBytes { password in
            password.withUnsafeBufferPointer { peer_derivation_new($0.baseAddress, $0.count, salt) }
        }
    }

    deinit { peer_derivation_free(derivation) }

    /// What was derived last.
    var key: SymmetricKey {
        SymmetricKey(data: UnsafeRawBufferPointer(start: peer_derivation_key(derivation), count: 32))
    }

    fileprivate static func check(_ isDone: Bool) throws {
        guard isDone else { throw PeerFailure(description: "no memory for Argon2id") }
    }

    struct Sodium: Contestant {
        let name = "libsodium crypto_pwhash in C"
        let peer: BareDerivation

        func run(_ times: Int) throws {
            try BareDerivation.check(peer_derivation_sodium(peer.derivation, times))
        }
    }

    struct Reference: Contestant {
        let name = "libargon2 argon2id_hash_raw"
        let peer: BareDerivation

        func run(_ times: Int) throws {
            try BareDerivation.check(peer_derivation_reference(peer.derivation, times))
        }
    }
}
