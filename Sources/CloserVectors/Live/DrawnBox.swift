internal import CloserWire

/// Something that we sealed for a live case; one in five has a fault since.
struct DrawnBox {
    let plaintext: [UInt8]
    private(set) var bytes: [UInt8]
    /// What the reader is told: not what it was sealed in, if that is the fault.
    private(set) var context: [UInt8]
    private var fault: String?

    /// `byteCount` bytes at the front name the key or a version: another there is another error.
    init(
        in context: [UInt8], behind byteCount: Int,
        seal: (_ plaintext: [UInt8], _ context: [UInt8]) throws -> [UInt8]
    ) rethrows {
        (plaintext, self.context) = (Draw.plaintext(), context)
        bytes = try seal(plaintext, context)
        if Draw.oneIn(10) { flipBit(behind: byteCount) } else if Draw.oneIn(9) { changeContext() }
    }

    private mutating func flipBit(behind byteCount: Int) {
        bytes[.random(in: byteCount..<bytes.count)] ^= 1 << UInt8.random(in: 0..<8)
        fault = "one bit flipped"
    }

    private mutating func changeContext() {
        context.append(UInt8(ascii: "x"))
        fault = "another context"
    }

    var contextText: String { String(decoding: context, as: UTF8.self) }

    /// The case of opening it, with what goes in.
    func opening(_ input: JSONValue) -> LiveCase {
        let size = "\(plaintext.count) bytes"
        guard let fault else {
            return LiveCase(comment: size, input: input, expectation: .output(.hex("plaintext", plaintext)))
        }
        return LiveCase(comment: "\(size), \(fault)", input: input, expectation: .error(ErrorID.authFailed))
    }
}
