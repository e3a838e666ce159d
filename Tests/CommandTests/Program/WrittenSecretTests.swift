import Foundation
import TestSupport
import Testing

/// Everything that a command hands to the system, seen by strace: its arguments, its environment, and each write.
///
/// The secrets are those that lie in files of the scene: phrases, codes, key files and passphrases, before the command and after it.
@Suite("A secret is written where it belongs, and nowhere else", .enabled(if: Fault.wanted > 0))
struct WrittenSecretTests {
    private static let base = Result { try KilledCouple() }

    @Test(
        "not in another file, in an argument, or in the environment",
        .proves("A secret is written only where it belongs"), arguments: KillScene.all)
    func written(_ scene: KillScene) throws {
        let base = try Self.base.get()
        let program = try base.copy(without: scene.lock)
        let calls = try calls(of: scene.arguments(base), scene.input(base), in: program)
        let secrets = try secrets(in: program)
        #expect(calls.contains { $0.contains("execve(") } && secrets.count > 5)
        for call in calls {
            for (name, secret) in secrets where call.contains(Self.digits(secret)) {
                // The file's own: all of it, and nothing besides.
                let isWhole = try secrets.keys.contains {
                    try call.contains("\"\(Self.digits(program.content($0)))\"")
                }
                #expect(isWhole && !call.contains("execve("), "\(scene): \(name) in \(call.prefix(60))")
            }
        }
    }

    /// They change nothing, and print no secret.
    private static let readers = [
        "device show --vault a.db --json", "doctor --vault a.db --json", "device list --json",
        "doctor export --export-passphrase-file words", "device policy --vault a.db",
        "couple status --vault a.db --json", "couple show --vault a.db --couple c --json",
        "couple show --vault a.db --couple c --document",
        "couple verify --vault a.db --couple verified --partner bob",
        "couple rehearse --couple c --phrase-file phrase couple",
        "couple rehearse --vault a.db --couple c --phrase-file phrase couple",
        "pair confirm --vault a.db --couple pair_3 reply-3 --json",
        "field open --vault a.db --couple c token",
        "field seal --vault a.db --couple c", "answer status --vault a.db --couple c --json",
        "answer status --vault a.db --couple c --question q --json",
        "answer status --vault a.db --couple c --question q --document",
        "couple rehearse --words-only --phrase-file phrase --json",
        "check --kind pair-offer offer-1", "inspect a.db", "inspect a.key", "inspect export --json",
        "inspect phrase",
        "inspect invite --json", "inspect grant-3",
    ]

    @Test(
        "not by a command that reads, in none of its writes",
        .proves("A secret is written only where it belongs"), arguments: readers)
    func read(_ arguments: String) throws {
        let program = try Self.base.get().copy(without: "none")
        let (calls, secrets) = (try calls(of: arguments, "", in: program), try secrets(in: program))
        #expect(calls.contains { $0.contains("write(1, ") } && secrets.count > 5)
        for call in calls {
            for (name, secret) in secrets where call.contains(Self.digits(secret)) {
                Issue.record("\(name) in \(call.prefix(60))")
            }
        }
    }

    @Test("one that is planted in another file is found")
    func planted() throws {
        let base = try Self.base.get()
        let program = try base.copy(without: "none")
        let run = try program.script(
            "cp phrase planted; strace -qq -y -xx -s 4096 -e trace=write -o calls dd if=planted of=other bs=4096 status=none"
        )
        try #require(run.exit == 0, "\(run.errors)")
        let calls = try String(decoding: program.content("calls"), as: UTF8.self)
        let secret = try #require(try secrets(in: program)["phrase"])
        #expect(calls.contains(Self.digits(secret)))
    }

    private func calls(of arguments: String, _ input: String, in program: ClosingProgram) throws
        -> [Substring]
    {
        let log = program.folder.deletingLastPathComponent().appending(path: "writes-\(UUID())")
        defer { try? FileManager.default.removeItem(at: log) }
        let tool = [
            "strace", "-f", "-v", "-qq", "-xx", "-s", "1048576", "-o", log.path(),
            "-e", "trace=execve,write,pwrite64,writev,pwritev,sendto,sendmsg",
        ]
        let run = try program.start(under: tool, arguments, input: input).wait()
        try #require(run.exit == 0, "\(run.errors)")
        return try String(contentsOf: log, encoding: .utf8).split(separator: "\n")
    }

    /// What the files hold, without the newline.
    private func secrets(in program: ClosingProgram) throws -> [String: Data] {
        var secrets: [String: Data] = [:]
        for name in try program.files()
        where name.wholeMatch(of: /phrase.*|code.*|words|.*\.key|n|m|q/) != nil {
            let content = try program.content(name)
            secrets[name] = content.last == UInt8(ascii: "\n") ? content.dropLast() : content
        }
        return secrets
    }

    /// As strace prints them.
    private static func digits(_ bytes: Data) -> String {
        bytes.map { "\\x" + String(UInt16($0) + 0x100, radix: 16).dropFirst() }.joined()
    }
}
