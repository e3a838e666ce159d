import CPeers
import CloserKeys
import CloserPrimitives
import Crypto
import Foundation

/// The key of a chat: X25519 and HKDF-SHA256 with a salt and an info.
enum AgreementRows {
    static func all(second: PeerProgram?) throws -> [Row] {
        let pair = try ChatPair()
        let bare = BareAgreement(pair)
        let ours = try OurAgreement.agree(pair)
        try BareAgreement.check(peer_agreement_derive(bare.agreement, 1))
        let bareKey = UnsafeRawBufferPointer(start: peer_agreement_key(bare.agreement), count: 32)
        guard try pair.appKey.withUnsafeBytes({ $0.elementsEqual(bareKey) }),
            ours.withBytes({ $0.withUnsafeBufferPointer { $0.elementsEqual(bareKey) } })
        else { throw PeerFailure(description: "the agreements differ") }
        return [
            try Row(
                "X25519 and HKDF", OurAgreement(pair: pair),
                against: second.lane(.agreement) + [(bare, .share(1.05)), (AppAgreement(pair: pair), nil)])
        ]
    }
}

struct OurAgreement: Contestant {
    let name = "closer-keys"
    let pair: ChatPair

    static func agree(_ pair: ChatPair) throws -> SecretBytes {
        try pair.ours.agree(with: pair.theirs, salt: ChatPair.chat.utf8, info: ChatPair.info.utf8)
    }

    func run(_ times: Int) throws {
        for _ in 0..<times { keep(try Self.agree(pair)) }
    }
}

/// libsodium called from C.
private final class BareAgreement: Contestant {
    let name = "libsodium, X25519 and two HMACs"
    fileprivate let agreement: OpaquePointer

    init(_ pair: ChatPair) {
        // The app's private key and our public one agree on the same; ours does not leave its memory.
        agreement = peer_agreement_new(
            Array(pair.app.rawRepresentation), pair.ours.publicKey.bytes, ChatPair.chat, ChatPair.info)
    }

    deinit { peer_agreement_free(agreement) }

    fileprivate static func check(_ isDone: Bool) throws {
        guard isDone else { throw PeerFailure(description: "libsodium did not agree") }
    }

    func run(_ times: Int) throws { try Self.check(peer_agreement_derive(agreement, times)) }
}

private struct AppAgreement: Contestant {
    let name = "swift-crypto"
    let pair: ChatPair

    func run(_ times: Int) throws {
        let theirs = pair.ours.publicKey.bytes
        for _ in 0..<times { keep(try ChatPair.agree(pair.app, theirs)) }
    }
}
