public import CloserPrimitives
internal import Foundation

/// 32 random bytes that the test only keeps as two masked halves. Their xor exists nowhere but in the secret under test,
/// so whatever the scan finds is that secret or a copy of it.
public struct MaskedPattern: Sendable {
    fileprivate let mask: [UInt8]
    fileprivate let masked: [UInt8]

    /// A new pattern. Nothing in memory holds it until a secret is made of it.
    public static func random() -> MaskedPattern {
        MaskedPattern(mask: Randomness.system.bytes(32), masked: Randomness.system.bytes(32))
    }

    /// The pattern of a secret of 6 to 32 bytes that was made elsewhere. Fewer would be found by chance.
    public init(masking secret: borrowing SecretBytes) {
        precondition((6...32).contains(secret.count), "a pattern has 6 to 32 bytes")
        let mask = Randomness.system.bytes(secret.count)
        self.init(
            mask: mask, masked: secret.withBytes { secret in mask.indices.map { secret[$0] ^ mask[$0] } })
    }

    private init(mask: [UInt8], masked: [UInt8]) { (self.mask, self.masked) = (mask, masked) }

    /// The pattern in pages of its own.
    public func secret() -> SecretBytes { SecretBytes(capacity: 32) { write(to: &$0) } }
    /// The pattern in a slot of the arena.
    public func shortLivedSecret(capacity: Int = 32) -> SecretBytes {
        SecretBytes(shortLived: capacity) { write(to: &$0) }
    }

    /// Appends the pattern, byte by byte.
    public func write(to output: inout OutputSpan<UInt8>) {
        for index in mask.indices { output.append(mask[index] ^ masked[index]) }
    }

    /// How often the pattern is in `bytes`, compared byte by byte without ever making it. C looks for one of the bytes, since a test
    /// without the optimiser would take minutes: for one that is no zero, which memory is full of.
    fileprivate func count(in bytes: UnsafeRawBufferPointer) -> Int {
        guard let base = bytes.baseAddress else { return 0 }
        let index = mask.indices.first { mask[$0] != masked[$0] } ?? 0
        let (byte, end) = (CInt(mask[index] ^ masked[index]), bytes.count - mask.count + index + 1)
        var (count, next) = (0, index)
        while next < end, let found = unsafe memchr(base + next, byte, end - next) {
            let offset = unsafe UnsafeRawPointer(found) - base - index
            if unsafe isThere(bytes, offset) { count += 1 }
            next = offset + index + 1
        }
        return count
    }

    private func isThere(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> Bool {
        for index in mask.indices where unsafe bytes[offset + index] ^ mask[index] != masked[index] {
            return false
        }
        return true
    }
}

/// Looks through all memory of this process that it can read and write.
public enum MemoryScan {
    /// One scan at a time: another one's buffer has what it reads.
    private static let turn = NSLock()

    /// How often the pattern is in memory. Linux only: it reads `/proc/self/mem`.
    ///
    /// What is read is copied into one buffer, which is left out of the scan and wiped after each piece.
    public static func count(_ pattern: MaskedPattern) throws -> Int {
        try turn.withLock { try countAlone(pattern) }
    }

    private static func countAlone(_ pattern: MaskedPattern) throws -> Int {
        let memory = unsafe open("/proc/self/mem", O_RDONLY | O_CLOEXEC)
        precondition(memory >= 0, "the memory of this process cannot be read")
        defer { close(memory) }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20 | 32, alignment: 4096)
        defer { unsafe buffer.deallocate() }
        var count = 0
        for region in try regions() {
            for start in stride(from: region.lowerBound, to: region.upperBound, by: 1 << 20) {
                let piece = start..<min(start + UInt(buffer.count), region.upperBound)
                unsafe count += occurrences(of: pattern, in: piece, memory, buffer)
            }
        }
        return count
    }

    /// The kibibytes of locked memory, from `/proc/self/status`.
    public static func lockedKiB() throws -> Int {
        let line = try lines(of: "/proc/self/status").first { $0.hasPrefix("VmLck:") }
        return line.flatMap { Int($0.filter(\.isNumber)) } ?? -1
    }

    /// Read to the end by hand: such files have the size 0, and Foundation stops at one block.
    private static func lines(of path: String) throws -> [Substring] {
        let data = try FileHandle(forReadingFrom: URL(filePath: path)).readToEnd() ?? Data()
        return String(decoding: data, as: UTF8.self).split(separator: "\n")
    }

    private static func regions() throws -> [Range<UInt>] {
        try lines(of: "/proc/self/maps").compactMap { line in
            let words = line.split(separator: " ")
            guard words[1].hasPrefix("rw") else { return nil }
            let ends = words[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
            return ends[0]..<ends[1]
        }
    }

    private static func occurrences(
        of pattern: MaskedPattern, in piece: Range<UInt>, _ memory: CInt,
        _ buffer: UnsafeMutableRawBufferPointer
    ) -> Int {
        let start = UInt(bitPattern: buffer.baseAddress)
        let own = start..<start + UInt(buffer.count)
        guard !piece.overlaps(own) else {
            return unsafe occurrences(of: pattern, around: own, in: piece, memory, buffer)
        }
        let read = unsafe pread(memory, buffer.baseAddress, piece.count, off_t(piece.lowerBound))
        let count = max(0, read)
        defer { _ = unsafe buffer.baseAddress.map { unsafe memset($0, 0, count) } }
        let found = unsafe pattern.count(
            in: UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[..<count]))
        // Another test's thread may have taken a page away since: the reading goes on behind it.
        let next = (piece.lowerBound + UInt(count)) / pageSize * pageSize + pageSize
        guard count < piece.count, next < piece.upperBound else { return found }
        return unsafe found + occurrences(of: pattern, in: next..<piece.upperBound, memory, buffer)
    }

    private static let pageSize: UInt = 4096

    private static func occurrences(
        of pattern: MaskedPattern, around own: Range<UInt>, in piece: Range<UInt>, _ memory: CInt,
        _ buffer: UnsafeMutableRawBufferPointer
    ) -> Int {
        let before = piece.lowerBound..<max(piece.lowerBound, min(own.lowerBound, piece.upperBound))
        let after = min(piece.upperBound, max(own.upperBound, piece.lowerBound))..<piece.upperBound
        return [before, after].filter { !$0.isEmpty }.reduce(0) {
            unsafe $0 + occurrences(of: pattern, in: $1, memory, buffer)
        }
    }
}
