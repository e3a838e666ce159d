import CloserTink
import CloserVault
import Foundation
import Testing

@Suite("Streams, from file to file and chunk by chunk")
struct StreamTests {
    private let folder: TemporaryFolder
    private let aead: StreamingAEAD
    private let purpose = Data("photo of couple_1".utf8)

    init() throws {
        folder = try TemporaryFolder()
        aead = try StreamingAEAD(Keyset(.streaming(.oneMiB)))
    }

    // In a process of its own, since other tests take memory at the same time.
    @Test("a file of 96 MiB is sealed and opened in the memory of a few segments") func files() async {
        await #expect(processExitsWith: .success) {
            let tests = try StreamTests()
            let paths = ["plain", "sealed", "opened"].map(tests.folder.path)
            let expected = try tests.write(96, to: paths[0])
            let before = tests.mostMemory()
            try tests.aead.seal(fileAt: paths[0], to: paths[1], associatedData: tests.purpose)
            try tests.aead.open(fileAt: paths[1], to: paths[2], associatedData: tests.purpose)
            #expect(tests.mostMemory() - before < 16 << 20)
            #expect(try tests.checksum(of: paths[2]) == expected)
            let mode = try FileManager.default.attributesOfItem(atPath: paths[2])[.posixPermissions] as? Int
            #expect(mode == 0o600)
        }
    }

    @Test("of a file that does not open nothing appears, and what was there stays") func faults() throws {
        let (plain, sealed, opened) = (folder.path("plain"), folder.path("sealed"), folder.path("opened"))
        _ = try write(3, to: plain)
        try aead.seal(fileAt: plain, to: sealed, associatedData: purpose)
        let handle = try FileHandle(forUpdating: URL(fileURLWithPath: sealed))
        try handle.truncate(atOffset: 2 << 20)
        try handle.close()
        #expect(throws: FileStreamError.opening(.authenticationFailed)) {
            try aead.open(fileAt: sealed, to: opened, associatedData: purpose)
        }
        #expect(!FileManager.default.fileExists(atPath: opened))
        #expect(throws: FileStreamError.exists(path: sealed)) {
            try aead.seal(fileAt: plain, to: sealed, associatedData: purpose)
        }
        #expect(throws: FileStreamError.isInput(path: plain)) {
            try aead.seal(fileAt: plain, to: plain, associatedData: purpose, replacing: true)
        }
        #expect(throws: FileStreamError.cannotWrite(path: "/dev/null", reason: "is not a regular file")) {
            try aead.open(fileAt: plain, to: "/dev/null", associatedData: purpose, replacing: true)
        }
        #expect(throws: FileStreamError.sealing(.associatedDataTooLong)) {
            try aead.seal(fileAt: plain, to: opened, associatedData: Data(count: 32769))
        }
        #expect {
            try aead.open(fileAt: folder.path("absent"), to: opened, associatedData: purpose)
        } throws: { error in
            guard case FileStreamError.cannotRead = error else { return false }
            return true
        }
    }

    @Test("chunks of any size go in, and come out whole", arguments: [1, 1000, 70_000, 3 << 20])
    func chunks(size: Int) async throws {
        let plaintext = Data((0..<size * 3 + 7).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        var stream = Data()
        for try await chunk in try aead.seal(chunks: Chunks(plaintext, of: size), associatedData: purpose) {
            stream.append(contentsOf: chunk)
        }
        #expect(try Data(aead.open(stream, associatedData: purpose).plaintext) == plaintext)

        var opened = Data()
        for try await chunk in try aead.open(chunks: Chunks(stream, of: size), associatedData: purpose) {
            opened.append(contentsOf: chunk)
        }
        #expect(opened == plaintext)
    }

    @Test("a stream of no bytes is a stream, and one that ends too early is none") func ends() async throws {
        let nothing = try await collect(aead.seal(chunks: Chunks(Data(), of: 1), associatedData: purpose))
        #expect(nothing.count == StreamingAEAD.minimumByteCount)
        #expect(try await collect(aead.open(chunks: Chunks(nothing, of: 5), associatedData: purpose)).isEmpty)
        await #expect(throws: OpenError.tooShort) {
            try await collect(aead.open(chunks: Chunks(Data(), of: 1), associatedData: purpose))
        }
        await #expect(throws: OpenError.authenticationFailed) {
            try await collect(aead.open(chunks: Chunks(nothing, of: 5), associatedData: Data()))
        }
        let two = try aead.seal(Data(count: 1 << 20), associatedData: purpose)
        await #expect(throws: OpenError.authenticationFailed) {
            try await collect(
                aead.open(chunks: Chunks(Data(two.dropLast(20)), of: 999), associatedData: purpose))
        }
        await #expect(throws: StreamingAEAD.SealError.associatedDataTooLong) {
            try await collect(aead.seal(chunks: Chunks(Data(), of: 1), associatedData: Data(count: 32769)))
        }
    }

    @Test("an error of the source ends the stream, and nothing comes behind an error") func source()
        async throws
    {
        let lost = try aead.seal(chunks: Lost(), associatedData: purpose)
        var iterator = lost.makeAsyncIterator()
        await #expect(throws: Lost.ConnectionLost.self) { try await iterator.next() }

        let opened = try aead.open(chunks: Chunks(Data(count: 200), of: 50), associatedData: purpose)
        var other = opened.makeAsyncIterator()
        await #expect(throws: OpenError.notAStream) { try await other.next() }
        #expect(try await other.next() == nil)
    }

    // MARK: - Support

    private func collect(_ chunks: some AsyncSequence<[UInt8], any Error>) async throws -> Data {
        try await chunks.reduce(into: Data()) { $0.append(contentsOf: $1) }
    }

    /// Writes so many MiB, each of another byte, and gives their checksum.
    private func write(_ mebibytes: Int, to path: String) throws -> Int {
        try Data().write(to: URL(fileURLWithPath: path))
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        for number in 0..<mebibytes {
            try handle.write(contentsOf: Data(repeating: UInt8(truncatingIfNeeded: number), count: 1 << 20))
        }
        try handle.close()
        return try checksum(of: path)
    }

    private func checksum(of path: String) throws -> Int {
        let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
        var sum = 0
        while let data = try handle.read(upToCount: 1 << 20), !data.isEmpty {
            sum = data.hashValueOfBytes(after: sum)
        }
        return sum
    }

    /// The most that the process had in memory until now, on Linux; elsewhere nothing is measured.
    private func mostMemory() -> Int {
        guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
            let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") })
        else { return 0 }
        return line.split(separator: " ").compactMap { Int($0) }.first.map { $0 << 10 } ?? 0
    }
}

extension Data {
    /// Polynomial, so that two bytes that changed places show.
    fileprivate func hashValueOfBytes(after start: Int) -> Int {
        var hash = start
        for index in stride(from: startIndex, to: endIndex, by: 251) { hash = hash &* 31 &+ Int(self[index]) }
        return hash &* 31 &+ count
    }
}

/// Data in pieces, as a download gives it.
private struct Chunks: AsyncSequence, Sendable {
    typealias Element = Data
    let data: Data
    let size: Int

    init(_ data: Data, of size: Int) { (self.data, self.size) = (data, size) }

    func makeAsyncIterator() -> Iterator { Iterator(rest: data, size: size) }

    struct Iterator: AsyncIteratorProtocol {
        var rest: Data
        let size: Int

        mutating func next() async -> Data? {
            guard !rest.isEmpty else { return nil }
            defer { rest = rest.dropFirst(size) }
            return rest.prefix(size)
        }
    }
}

/// A source that breaks.
private struct Lost: AsyncSequence, AsyncIteratorProtocol, Sendable {
    struct ConnectionLost: Error {}

    func makeAsyncIterator() -> Lost { self }

    mutating func next() async throws -> Data? { throw ConnectionLost() }
}
