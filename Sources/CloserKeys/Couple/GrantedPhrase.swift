internal import CloserPrimitives

// The phrase of a grant or a rekey is chosen by the partner's program, and this device gives the server its keys under it. A fixed, short
// or empty phrase would give them to the server, and one with invisible letters cannot be copied from paper.

extension RecoveryPhrase {
    /// The longest phrase of a grant or a rekey, in bytes.
    static let maximumGrantedByteCount = 256
    /// A phrase of ours has fewer different words once in 10¹⁰ times.
    static let minimumDistinctWordCount = 5

    /// Takes over the phrase of a grant or a rekey: one that ``random(from:)`` could have made, from our list of words or another one.
    ///
    /// - Throws: ``FormatError`` for any other.
    init(granted text: consuming SecretBytes) throws(FormatError) {
        guard text.withBytes({ $0.isGrantedPhrase }) else { throw FormatError() }
        try self.init(exactly: text)
    }
}

extension Span<UInt8> {
    /// Whether it has a to z and single spaces, at least ten words of 3 to 8 letters, and at least five of them are different. The lengths
    /// of the words show by the time that it takes, and which are alike.
    fileprivate var isGrantedPhrase: Bool {
        guard count <= RecoveryPhrase.maximumGrantedByteCount, hasOnlyLettersAndSpaces else { return false }
        let words = words
        return words.count >= RecoveryPhrase.wordCount && words.allSatisfy { (3...8).contains($0.count) }
            && distinctCount(of: words) >= RecoveryPhrase.minimumDistinctWordCount
    }

    private var hasOnlyLettersAndSpaces: Bool {
        var mask = UInt8.max
        for index in indices {
            mask &= ConstantTime.mask(self[index], in: 0x61...0x7A) | ConstantTime.mask(self[index], is: 0x20)
        }
        return mask == .max
    }

    /// Between the spaces: an empty one where two meet, and at an end that has one.
    private var words: [Range<Int>] {
        let spaces = indices.filter { self[$0] == 0x20 }
        return zip([-1] + spaces, spaces + [count]).map { $0 + 1..<$1 }
    }

    private func distinctCount(of words: [Range<Int>]) -> Int {
        words.indices.count { index in
            !words[..<index].contains { ConstantTime.isEqual(extracting($0), extracting(words[index])) }
        }
    }
}
