import CloserKeys
import CloserPrimitives
import CloserWire
import TestSupport
import Testing

@testable import CloserVault

/// What an attacker can make who has kept every state of a vault, forks included.
@Suite("Parts of older and forked copies, spliced into a vault")
struct SpliceTests {
    private let vaults: MemoryVaults
    private let couple: CoupleID
    /// The vault after each of its changes, and after each change of a fork.
    private let copies: [[UInt8]]
    private let newest: [UInt8]

    init() throws {
        let vaults = MemoryVaults()
        let couple = try CoupleID(parsing: "couple_1")
        let vault = try vaults.make("v")
        var copies = [try vaults.bytes("v")]
        try vault.plant(couple)
        copies.append(try vaults.bytes("v"))
        vaults.write(copies[1], to: "fork")
        let branches = [("v", vault), ("fork", try vaults.open("fork"))]
        for (file, vault) in branches {
            for question in ["q_1", "q_2"] {
                try vault.seal(
                    answer: "{\"answer\":\"yes\"}".utf8, to: QuestionID(parsing: question),
                    at: AnswerPlace(parsing: "daily:2026-11-20"), of: couple)
                copies.append(try vaults.bytes(file))
            }
            // The same records with the same lengths in other boxes.
            try vault.plant(couple)
            copies.append(try vaults.bytes(file))
            try vault.changeCredential(to: .testOnlyKeyFile(1))
            copies.append(try vaults.bytes(file))
        }
        // As many changes as the newest, and the same lengths.
        vaults.write(copies[4], to: "twin")
        try vaults.open("twin").plant(couple)
        copies.append(try vaults.bytes("twin"))
        (self.vaults, self.couple, newest) = (vaults, couple, copies[5])
        self.copies = copies
    }

    /// What a vault of these bytes shows: its rows, each of them opened; nil if any of it is refused.
    private func content(_ bytes: [UInt8]) throws -> [[UInt8]]? {
        vaults.write(bytes, to: "v")
        do throws(VaultError) {
            let vault = try vaults.open("v")
            _ = try vault.device
            _ = try vault.couples
            _ = try vault.read { (transaction) throws(VaultError) in
                try transaction.records(StoredAnswer.self).count
                    + transaction.records(VersionPin.self).count
            }
            return try? vault.rows()
        } catch { return nil }
    }

    /// Tries a splice that is none of the copies: it must be refused.
    private func expectRefused(_ bytes: [UInt8], _ what: @autoclosure () -> String) throws {
        guard !copies.contains(bytes) else { return }
        #expect(try content(bytes) == nil, "\(what())")
    }

    /// The parts of a vault's bytes: mark and key slot, sealed index, and each box.
    private func parts(_ bytes: [UInt8]) throws -> [ArraySlice<UInt8>] {
        vaults.write(bytes, to: "parts")
        let vault = try vaults.open("parts")
        let entries = try vault.read { (transaction) throws(VaultError) in transaction.index.entries }
        let head = try VaultFile(bytes, path: "parts").head
        let slotEnd = VaultFile.mark.count + (try vaults.locked("parts").content.slot.bytes.count)
        return [bytes[..<slotEnd], bytes[slotEnd..<head.endIndex]] + entries.map(\.box)
    }

    @Test("each copy opens whole, and its count alone shows that it is an older one")
    func whole() throws {
        #expect(copies.count == 11)
        #expect(Set(copies).count == 11)
        let counts = try copies.map { bytes in
            _ = try #require(try content(bytes))
            return try vaults.open("v").changeCount
        }
        #expect(counts == [1, 2, 3, 4, 5, 6, 3, 4, 5, 6, 6])
    }

    @Test(
        "every part of every copy in the place of every part of the newest",
        .proves(
            "V1: without its key a vault shows its id, its protection and its size, and a changed vault does not open"
        ))
    func everyPart() throws {
        let ours = try parts(newest)
        var tried = 0
        for copy in copies {
            for (theirIndex, theirs) in try parts(copy).enumerated() {
                for index in ours.indices {
                    var spliced = ours
                    spliced[index] = theirs
                    try expectRefused(Array(spliced.joined()), "part \(theirIndex) as \(index)")
                    tried += 1
                }
            }
        }
        #expect(tried > 200)
    }

    @Test(
        "the head of one copy before the boxes of another, and boxes taken away, doubled or in another order")
    func boxes() throws {
        for copy in copies {
            let head = try parts(copy).prefix(2)
            for other in copies {
                let boxes = try parts(other).dropFirst(2)
                try expectRefused(Array(head.joined()) + boxes.joined(), "other boxes")
                try expectRefused(Array(head.joined()) + boxes.reversed().joined(), "reversed boxes")
                try expectRefused(Array(head.joined()) + (boxes + boxes).joined(), "doubled boxes")
                try expectRefused(Array(head.joined()) + boxes.dropLast().joined(), "a box less")
            }
        }
    }

    @Test("every run of bytes in which a copy of the same length differs")
    func runs() throws {
        var runs = 0
        for copy in copies where copy.count == newest.count {
            let differing = newest.indices.filter { newest[$0] != copy[$0] }
            var start = 0
            while start < differing.count {
                var end = start
                while end + 1 < differing.count, differing[end + 1] - differing[end] <= 2 { end += 1 }
                let range = differing[start]...differing[end]
                var spliced = newest
                spliced.replaceSubrange(range, with: copy[range])
                try expectRefused(spliced, "\(range)")
                runs += 1
                start = end + 1
            }
        }
        #expect(runs >= 2)
    }
}
