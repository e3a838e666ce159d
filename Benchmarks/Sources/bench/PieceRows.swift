import CloserTink

/// A stream of 1 MiB in memory: no disk hides what the provider takes. The peers seal the same as one box, without a header.
enum PieceRows {
    static func all(_ message: Message = .piece, second: PeerProgram?) throws -> [Row] {
        let (ours, cryptoKit) = (try OurPiece(message), try CryptoKitAEAD(message))
        let bare = try BareGCM(message)
        return [
            try Row(
                "stream in memory, seal 1 MiB", OurPiece.Seal(peer: ours),
                against: second.lane(.pieceSeal) + [
                    (CryptoKitAEAD.Seal(peer: cryptoKit), nil), (BareGCM.Seal(peer: bare), .share(1.15)),
                ]),
            try Row(
                "stream in memory, open 1 MiB", OurPiece.Open(peer: ours),
                against: second.lane(.pieceOpen) + [
                    (CryptoKitAEAD.Open(peer: cryptoKit), nil), (BareGCM.Open(peer: bare), .share(1.15)),
                ]),
        ]
    }
}

/// A streaming key, and a message with its stream.
struct OurPiece {
    let aead: StreamingAEAD
    let message: Message
    let stream: [UInt8]

    init(_ message: Message) throws {
        aead = try StreamingAEAD(Keyset(.streaming(.oneMiB)))
        self.message = message
        stream = try aead.seal(message.plaintext, associatedData: message.associatedData)
    }

    struct Seal: Contestant {
        let name = "closer-keys"
        let peer: OurPiece

        func run(_ times: Int) throws {
            let (aead, message) = (peer.aead, peer.message)
            for _ in 0..<times {
                keep(try aead.seal(message.plaintext, associatedData: message.associatedData))
            }
        }
    }

    struct Open: Contestant {
        let name = "closer-keys"
        let peer: OurPiece

        func run(_ times: Int) throws {
            let (aead, stream, data) = (peer.aead, peer.stream, peer.message.associatedData)
            for _ in 0..<times { keep(try aead.open(stream, associatedData: data)) }
        }
    }
}
