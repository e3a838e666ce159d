package import CloserPrimitives
internal import CloserWire

/// CPace (draft-irtf-cfrg-cpace-21): two people who know the same password get the same key, and an attacker who lacks it
/// has one guess.
///
/// This is the suite CPACE-RISTR255-SHA512 with an initiator and a responder, exactly as the draft has it. What the
/// names, the channel and the associated data are stands in ``PairingTranscript``.
package enum CPace {
    /// What each side sends the other: an element of ristretto255, checked.
    package typealias Share = Ristretto255.Element

    /// A session key has 64 bytes.
    package static let keyByteCount = SHA512.byteCount

    private static let domain = Array("CPaceRistretto255".utf8)
    private static let keyDomain = Array("CPaceRistretto255_ISK".utf8)
    /// SHA-512 takes its input in blocks of 128 bytes.
    private static let hashBlockByteCount = 128

    /// What a side sends, and the associated data that goes with it and that both sides must know.
    package struct Message: Equatable, Sendable {
        /// `Ya` or `Yb`.
        package let share: Share
        /// `ADa` or `ADb`. Its sender does not prove to know it, but the key depends on it.
        package let associatedData: [UInt8]

        package init(_ share: Share, associatedData: [UInt8]) {
            (self.share, self.associatedData) = (share, associatedData)
        }
    }

    /// `lv_cat(DSI, PRS, zeros, CI, sid)`: the zeros fill up the first block of the hash, so that a password is hashed in a block
    /// of its own (§7.1).
    package static func generatorString(
        password: borrowing SecretBytes, channel: [UInt8], session: [UInt8]
    ) -> SecretBytes {
        let capacity = domain.count + password.count + channel.count + session.count + hashBlockByteCount + 50
        return SecretBytes(shortLived: capacity) { output in
            output.append(leb128Item: domain.span)
            password.withBytes { output.append(leb128Item: $0) }
            let zeros = [UInt8](repeating: 0, count: max(0, hashBlockByteCount - 1 - output.count))
            output.append(leb128Item: zeros.span)
            output.append(leb128Item: channel.span)
            output.append(leb128Item: session.span)
        }
    }

    /// The generator of a password, a channel and a session: `element_derivation(SHA-512(generator_string))` (§7.2).
    ///
    /// It is a secret: an attacker who sees it can try passwords.
    package static func generator(
        password: borrowing SecretBytes, channel: [UInt8], session: [UInt8]
    ) -> Ristretto255.SecretElement {
        let string = generatorString(password: password, channel: channel, session: session)
        return Ristretto255.SecretElement(mapping: SHA512.hash(string))
    }

    /// Whose message comes first in the key.
    package enum Role: Sendable {
        case initiator
        case responder
    }

    /// `ISK = H(lv_cat(DSI ‖ "_ISK", sid, K) ‖ lv_cat(Ya, ADa) ‖ lv_cat(Yb, ADb))`, 64 bytes (§6.2).
    ///
    /// `scalar` belongs to our share. The draft aborts if K is the identity, which cannot happen here: ``Share`` and scalar were
    /// checked. The other side is unproven until it has shown that it has the same key.
    package static func sessionKey(
        scalar: borrowing Ristretto255.Scalar, as role: Role, ours: Message, theirs: Message, session: [UInt8]
    ) -> SecretBytes {
        let messages = role == .initiator ? [ours, theirs] : [theirs, ours]
        let shared = scalar.sharedElement(with: theirs.share)
        let capacity = messages.reduce(keyDomain.count + session.count + 256) { $0 + $1.associatedData.count }
        let input = SecretBytes(shortLived: capacity) { output in
            output.append(leb128Item: keyDomain.span)
            output.append(leb128Item: session.span)
            shared.withBytes { output.append(leb128Item: $0) }
            for message in messages {
                output.append(leb128Item: message.share.bytes.span)
                output.append(leb128Item: message.associatedData.span)
            }
        }
        return SHA512.hash(input)
    }
}
