import Foundation
import TestSupport
import Testing

@testable import CloserPrimitives

/// A nonce that two processes use is used twice.
@Suite("Nonces from a pool", .serialized)
struct NoncePoolTests {
    private static func draw(_ pool: NoncePool, _ count: Int = 12) -> [UInt8] {
        [UInt8](capacity: count) { pool.append(count, to: &$0) }
    }

    /// Draws so often that the pool has drawn ahead.
    private static func drawAhead(_ pool: NoncePool) { for _ in 0..<100 { _ = draw(pool) } }

    /// Swift hides `fork`, since a child may not do much. This one draws, writes and ends.
    private static let fork: @convention(c) () -> pid_t = unsafe unsafeBitCast(
        dlsym(nil, "fork"), to: (@convention(c) () -> pid_t).self)

    /// What a child draws that is forked now.
    private static func drawnInChild(_ pool: NoncePool) throws -> [UInt8] {
        var ends: [Int32] = [0, 0]
        try #require(unsafe pipe(&ends) == 0)
        let child = fork()
        if child == 0 {
            let bytes = draw(pool)
            _exit(unsafe write(ends[1], bytes, bytes.count) == bytes.count ? 0 : 1)
        }
        defer { for end in ends { close(end) } }
        var status: Int32 = 1
        try #require(unsafe waitpid(child, &status, 0) == child && status == 0)
        var bytes = [UInt8](repeating: 0, count: 12)
        try #require(unsafe read(ends[0], &bytes, bytes.count) == bytes.count)
        return bytes
    }

    @Test(
        "a child draws other bytes than its parent, and than another child",
        .proves("A batch never uses a nonce twice, on several threads or after a snapshot"),
        arguments: [true, false])
    func forked(wipedByFork: Bool) throws {
        let pool = NoncePool(wipedByFork: wipedByFork)
        Self.drawAhead(pool)
        let drawn = [try Self.drawnInChild(pool), try Self.drawnInChild(pool), Self.draw(pool)]
        #expect(Set(drawn).count == 3)
    }

    @Test("a child that has the number of its parent draws other bytes all the same")
    func sameNumber() throws {
        let pool = NoncePool(wipedByFork: false, processNumber: { 7 })
        Self.drawAhead(pool)
        let drawn = [try Self.drawnInChild(pool), try Self.drawnInChild(pool), Self.draw(pool)]
        #expect(Set(drawn).count == 3)
    }

    @Test("no bytes come twice, over many pages and from several threads")
    func distinct() async {
        let pool = NoncePool()
        let drawn = await withTaskGroup(of: [[UInt8]].self) { group in
            for _ in 0..<4 { group.addTask { (0..<2000).map { _ in Self.draw(pool) } } }
            return await group.reduce(into: []) { $0 += $1 }
        }
        #expect(drawn.count == 8000 && Set(drawn).count == 8000)
        #expect(!drawn.contains(Array(repeating: 0, count: 12)))
    }

    @Test("what was handed out is wiped, and so the pool holds none of it")
    func wiped() {
        let pool = NoncePool()
        Self.drawAhead(pool)
        let before = Self.draw(pool)
        #expect(pool.testOnlyPage.count == 4096)
        #expect(!pool.testOnlyPage.contains(before))
        let (left, next) = (pool.testOnlyPage, Self.draw(pool))
        // The other way round: the next ones were there, and are no more.
        #expect(left.contains(next) && !pool.testOnlyPage.contains(next))
    }

    @Test(
        "a page that is put back, as it was after a wipe, gives other bytes",
        .proves("A batch never uses a nonce twice, on several threads or after a snapshot"))
    func putBack() {
        let pool = NoncePool()
        Self.drawAhead(pool)
        pool.wipe()
        let waiting = pool.testOnlyPage
        let before = Self.draw(pool)
        pool.testOnlyPage = waiting
        #expect(waiting == [UInt8](repeating: 0, count: 4096))
        #expect(before != Self.draw(pool))
    }

    @Test("for a lone text no more is drawn than that text takes")
    func lone() {
        let pool = NoncePool()
        _ = Self.draw(pool)
        #expect(pool.testOnlyPage.dropFirst(16).allSatisfy { $0 == 0 })
    }

    @Test("sealing takes its nonce from the pool, and no key or salt comes from there")
    func onlyNonces() {
        let pool = NoncePool()
        let randomness = Randomness.pooled(pool)
        Self.drawAhead(pool)
        let next = Self.draw(pool)
        let full = pool.testOnlyPage
        _ = randomness.bytes(16)
        _ = SecretBytes.random(count: 32, from: randomness)
        let before = pool.testOnlyPage
        let isUntouched = before == full
        #expect(isUntouched)
        let box = AESGCM(key: .random(count: 32, from: randomness))
            .sealCombined(
                [UInt8](repeating: 1, count: 64).span, authenticating: Span(), nonceFrom: randomness)
        let (nonce, after) = (Array(box.prefix(12)), pool.testOnlyPage)
        #expect(nonce != next)
        #expect([before, after].map { $0.contains(nonce) } == [true, false])
    }

    @Test("more than a page holds comes from the system, whole")
    func large() {
        let drawn = Self.draw(NoncePool(), 5000)
        #expect(drawn.count == 5000 && drawn.suffix(500).contains { $0 != 0 })
    }
}
