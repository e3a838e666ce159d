import CloserKeys
import CloserPrimitives

/// One thing that is done with hidden bytes.
struct Check: Sendable {
    let name: String
    /// Whether it is a fault that must be found.
    var isPlanted = false
    let errors: @Sendable () throws -> Int
}

extension Check {
    static let all = planted + comparisons + base64 + codes + phrases + pairing

    private static let planted = [
        Check(name: "a comparison that stops at the first difference", isPlanted: true) {
            let ours = Hidden.secret("a secret of ours")
            let theirs = Array("a secret of mine".utf8)
            return Hidden.errors {
                ours.withBytes { bytes in theirs.indices.allSatisfy { bytes[$0] == theirs[$0] } }
            }
        },
        Check(name: "a letter that is looked up in a table", isPlanted: true) {
            let index = Hidden.secret([7])
            let table = Array("0123456789abcdef".utf8)
            return Hidden.errors { index.withBytes { table[Int($0[0] & 15)] } }
        },
    ]

    private static let comparisons = [
        Check(name: "two equal secrets are compared") {
            let ours = Hidden.secret("a couple key")
            let copy = Hidden.secret("a couple key")
            return Hidden.errors { ours.isEqual(to: copy) }
        },
        Check(name: "two secrets are compared that differ") {
            let ours = Hidden.secret("one secret")
            let theirs = Hidden.secret("a stranger")
            return Hidden.errors { ours.isEqual(to: theirs) }
        },
        Check(name: "a MAC is checked under a secret key") {
            let key = Hidden.secret([UInt8](repeating: 7, count: 32))
            let tag = [UInt8](repeating: 9, count: 32)
            return Hidden.errors { HMACSHA256.isValid(tag.span, of: Array("message".utf8).span, key: key) }
        },
        Check(name: "a commitment is made of a secret payload, and compared") {
            let payload = Hidden.secret(#"{"answer":"yes"}"#)
            let pinned = [UInt8](repeating: 1, count: 32)
            return Hidden.errors {
                payload.withBytes { ConstantTime.isEqual(SHA256.hash($0).span, pinned.span) }
            }
        },
        Check(name: "a scalar is held against its range") {
            let scalar = Hidden.secret([UInt8](repeating: 0, count: 31) + [5])
            let order = [UInt8](repeating: 0xFF, count: 32)
            return Hidden.errors { scalar.withBytes { ConstantTime.isPositive($0, below: order) } }
        },
    ]

    private static let base64 = [SecretBase64.standard, .url].map { alphabet in
        Check(name: "a secret is written in base64, \(alphabet)") {
            let secret = Hidden.secret((0..<64).map { UInt8($0 * 4 + 1) })
            return Hidden.errors {
                SecretBytes(capacity: 100) { output in secret.withBytes { alphabet.encode($0, into: &output) }
                }
            }
        }
    }

    private static let codes = [
        Check(name: "a code is drawn") {
            let draws = Hidden.secret((0..<12).map { $0 * 21 })
            return Hidden.errors { draws.withBytes(CodeSymbol.symbols) }
        },
        Check(name: "a pairing code is read as it was typed") {
            let typed = Hidden.secret("7kq2mx-o1l uv\u{A0}9\u{2013}")
            return Hidden.errors { typed.withBytes { CodeSymbol.Reading($0) } }
        },
        Check(name: "an invite's code is read as it was typed") {
            let typed = Hidden.secret("7kQ2Mx")
            return Hidden.errors { typed.withBytes(InviteCode.areAllowed) }
        },
    ]

    private static let phrases = [
        Check(name: "a phrase is drawn from the words") {
            let draws = Hidden.secret((0..<10).map { $0 * 25 })
            return Hidden.errors { draws.withBytes(RecoveryWords.joined) }
        },
        Check(name: "a phrase is brought into its normal form") {
            let typed = Hidden.secret(" Actor almond-\u{A0}AMBER  anchor\n")
            return Hidden.errors { typed.withBytes(RecoveryPhrase.normalized) }
        },
        Check(name: "the marks around a phrase are taken off") {
            let typed = Hidden.secret("\u{FEFF}1. \u{201C}Actor\u{201D}, 2) almond \u{2013}\u{3000}AMBER.")
            return Hidden.errors { typed.withBytes(PaperWords.withoutMarks) }
        },
        Check(name: "a word is looked for in the list") {
            let word = Hidden.secret("zigzag")
            return Hidden.errors { word.withBytes(RecoveryWords.contains) }
        },
    ]

    private static let pairing = [
        Check(name: "a pairing's password is hashed") {
            let password = Hidden.secret("7KQ2MX")
            return Hidden.errors {
                SHA512.hash(
                    CPace.generatorString(password: password, channel: [1, 2, 3], session: [4, 5, 6]))
            }
        },
        Check(name: "a pairing's keys are derived, and its tag is checked") {
            let session = Hidden.secret([UInt8](repeating: 3, count: 64))
            let (salt, tag) = (Array("closer-keys/pair/1".utf8), [UInt8](repeating: 0, count: 32))
            return Hidden.errors {
                let key = HKDF.derive(from: session, salt: salt.span, info: salt.span, count: 32)
                return HMACSHA256.isValid(tag.span, of: salt.span, key: key)
            }
        },
    ]
}
