import CloserFiles
import CloserKeys
import Foundation
import Synchronization
import Testing

@testable import CloserVault

/// Two that have the same vault open.
@Suite("What somebody else changes in a vault that is open")
struct ForeignChangeTests {
    private let folder: VaultFolder
    private let couple: CoupleID
    private let ours: Vault
    private let theirs: Vault

    init() throws {
        folder = try VaultFolder()
        couple = try CoupleID(parsing: "couple_1")
        ours = try folder.make("v")
        theirs = try folder.open("v")
    }

    @Test("is counted once it is met by a look or by a change, and our own changes are not")
    func counted() throws {
        try ours.plant(couple)
        _ = try ours.couples
        #expect(ours.foreignChangeCount == 0)
        try theirs.plant(couple)
        #expect(ours.foreignChangeCount == 0 && theirs.foreignChangeCount == 1)
        _ = try (ours.couples, ours.couples)
        #expect(ours.foreignChangeCount == 1)
        try theirs.plant(couple)
        try ours.plant(couple)
        #expect(ours.foreignChangeCount == 2 && theirs.foreignChangeCount == 1)
    }

    @Test("is told apart from answers that were only added")
    func answers() throws {
        func names(_ kind: RecordKind, _ ids: ClosedRange<UInt8>) -> [RecordName] {
            ids.map { RecordName(kind, RecordID([$0])) }
        }
        func directory(_ names: [RecordName], box: [UInt8] = [1]) -> Directory {
            var directory = Directory()
            for name in names { directory.put(box, as: name) }
            return directory
        }
        let (couples, answers) = (names(.couple, 1...1), names(.answer, 1...2))
        let former = directory(couples + answers)
        #expect(former.onlyAddsAnswers(to: former))
        #expect(directory(names(.answer, 1...3) + couples).onlyAddsAnswers(to: former))
        #expect(!directory(couples + answers.dropLast()).onlyAddsAnswers(to: former))
        #expect(!directory(names(.couple, 1...2) + answers).onlyAddsAnswers(to: former))
        #expect(!directory(couples + answers, box: [2]).onlyAddsAnswers(to: former))
        for kind in RecordKind.allCases where kind != .answer {
            #expect(!directory(couples + answers + names(kind, 9...9)).onlyAddsAnswers(to: former), "\(kind)")
        }
    }

    @Test("counts as one besides answers, if it is a couple or another lock")
    func besidesAnswers() throws {
        _ = try (ours.couples, theirs.couples)
        try theirs.plant(couple)
        _ = try ours.couples
        #expect((ours.foreignChangeCount, ours.foreignChangeCountBesidesAnswers) == (1, 1))
        _ = try theirs.seal(
            answer: #"{"answer":"x"}"#.utf8, to: try QuestionID(parsing: "q"),
            at: try AnswerPlace(parsing: "daily:2026-11-20"), of: couple)
        _ = try ours.couples
        #expect((ours.foreignChangeCount, ours.foreignChangeCountBesidesAnswers) == (2, 1))
        try theirs.lock(with: .testOnlyKeyFile(2))
        #expect(throws: VaultError.lockedAnew(path: folder.path("v"))) { try ours.couples }
        #expect((ours.foreignChangeCount, ours.foreignChangeCountBesidesAnswers) == (3, 2))
    }

    @Test("is not that the file is gone")
    func gone() throws {
        let place = try Place(ofVault: folder.path("v"))
        let bytes = try place.content()
        #expect(try place.isStill(bytes))
        try FileManager.default.removeItem(atPath: folder.path("v"))
        #expect(try !place.isStill(bytes) && ours.isStill(ours.version) == false)
    }

    @Test("is not in the way of knowing its files: they are those of the folder that was opened")
    func moved() throws {
        try FileManager.default.createDirectory(
            atPath: folder.path("sub"), withIntermediateDirectories: false)
        let vault = try folder.make("sub/v")
        try FileManager.default.moveItem(atPath: folder.path("sub"), toPath: folder.path("moved"))
        for name in ["moved/v", "moved/v.lock"] {
            let identities = FileIdentity.all(of: folder.path(name))
            #expect(identities.count == 2 && identities.allSatisfy(vault.files.contains), "\(name)")
        }
    }

    @Test("shows before the next look, and so does what the witness learns")
    func shown() throws {
        _ = try (ours.couples, theirs.couples)
        #expect(try ours.isStill(ours.version) && !ours.isStill(nil))
        try theirs.plant(couple)
        #expect(try !ours.isStill(ours.version) && theirs.isStill(theirs.version))
        #expect(try !theirs.isStill(ours.version))
    }

    @Test("shows though the former file was there whenever we looked")
    func hidden() throws {
        _ = try ours.couples
        let former = try folder.bytes("v")
        try theirs.plant(couple)
        let newer = try folder.bytes("v")
        try folder.write(former, to: "v")
        _ = try ours.couples
        #expect(try ours.isStill(ours.version))
        try folder.write(newer, to: "v")
        #expect(try !ours.isStill(ours.version))
    }

    @Test("shows by what the witness knows, if the former file is back")
    func witnessed() throws {
        _ = try ours.couples
        let former = try folder.bytes("v")
        let known = Mutex<VaultVersion?>(nil)
        let knowing = try Vault(
            opening: folder.path("v"), unlocking: .testOnlyKeyFile(1),
            witness: VaultWitness(known: { known.withLock { $0 } }, note: { _, _ in }))
        try theirs.plant(couple)
        try folder.write(former, to: "v")
        #expect(try knowing.isStill(knowing.version))
        known.withLock { $0 = theirs.version }
        #expect(try !knowing.isStill(knowing.version))
    }
}
