import CloserKeys
import CloserPrimitives
import CloserVault
import Foundation

/// A vault with so many answers of ours, and commands that read or change it.
struct VaultStage {
    let answerCount: Int
    private let stage: Stage
    private let options: [String]
    private let partner: [String]

    private static let place = "daily:2026-03-14"
    private static let couple = "couple-7Qm2VbXh1L"
    private static let answer = #"{"text":"the river path at dusk"}"#

    /// Makes the vault with the library. It is filled in memory, where no disk waits for each answer.
    init(_ answerCount: Int, on stage: Stage) throws {
        (self.answerCount, self.stage) = (answerCount, stage)
        let (key, path) = (
            (0..<32).map { _ in UInt8.random(in: 0 ... .max) }, stage.file("vault-\(answerCount)")
        )
        let (keyFile, theirs) = (path + ".key", path + ".theirs")
        try stage.write(key, to: keyFile)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: keyFile)
        try Self.fill(path, "user-Ana93", key, answerCount)
        let other = try Self.fill(path + ".other", "user-Ben27", key, 1)
        try stage.write(other.answer(Self.name(0)).document.bytes, to: theirs)
        try stage.write(Self.answer.utf8, to: path + ".answer")
        options = ["--vault", path, "--key-file", keyFile]
        partner = [
            "--partner", "user-Ben27", "--partner-key", try other.device.publicKey.description,
            theirs,
        ]
    }

    var show: Command { stage.command(["device", "show"] + options) }
    var status: Command { stage.command(["answer", "status"] + options) }
    var fieldSeal: Command {
        stage.command(["field", "seal", "--couple", Self.couple] + options + [stage.file("plaintext")])
    }
    /// Replaces the last answer.
    var seal: Command {
        stage.command(
            ["answer", "seal", "--replace"] + answer(answerCount) + [
                stage.file("vault-\(answerCount).answer")
            ])
    }
    /// Releases the first, each time with the same result.
    var release: Command { stage.command(["answer", "release"] + answer(0) + partner) }

    private func answer(_ number: Int) -> [String] {
        ["--couple", Self.couple, "--question", "q-\(number)", "--place", Self.place] + options
    }

    private static func name(_ number: Int) throws -> AnswerName {
        try AnswerName(
            couple: CoupleID(parsing: couple), question: QuestionID(parsing: "q-\(number)"),
            place: AnswerPlace(parsing: place))
    }

    /// A vault with answers to the questions from 0 on.
    @discardableResult
    private static func fill(_ path: String, _ user: String, _ key: [UInt8], _ count: Int) throws -> Vault {
        let memory = "/dev/shm/closer-keys-bench-\(UUID())"
        let isThere = FileManager.default.isWritableFile(atPath: "/dev/shm")
        let place = isThere ? memory : path
        let vault = try Vault.create(
            at: place, for: UserID(parsing: user), locking: .key(SecretBytes(copying: key.span)))
        let draft = try vault.draftCouple(of: CoupleID(parsing: couple), beginningAt: .strict)
        try vault.store(draft)
        for number in 0..<count {
            let name = try name(number)
            guard let place = name.place else { continue }
            try vault.seal(answer: answer.utf8, to: name.question, at: place, of: name.couple)
        }
        guard isThere else { return vault }
        try FileManager.default.moveItem(atPath: memory, toPath: path)
        try? FileManager.default.removeItem(atPath: memory + ".lock")
        return try Vault(opening: path, unlocking: .key(SecretBytes(copying: key.span)))
    }
}
