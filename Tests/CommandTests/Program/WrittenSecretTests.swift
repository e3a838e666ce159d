import Foundation
import Testing

/// Everything that a command which changes a vault hands to the system, seen by strace: its arguments, its environment, and each write.
///
/// The secrets are those that lie in files of the scene: phrases, codes, key files and passphrases, before the command and after it.
@Suite("A secret is written where it belongs, and nowhere else", .enabled(if: Fault.wanted > 0))
struct WrittenSecretTests {
    private static let base = Result { try KilledCouple() }

    @Test("not in another file, in an argument, or in the environment", arguments: KillScene.all)
    func written(_ scene: KillScene) throws {
        let base = try Self.base.get()
        let program = try base.copy(without: scene.lock)
        let calls = try calls(of: scene, base, in: program)
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

    private func calls(of scene: KillScene, _ base: KilledCouple, in program: ClosingProgram) throws
        -> [Substring]
    {
        let log = program.folder.deletingLastPathComponent().appending(path: "writes-\(UUID())")
        defer { try? FileManager.default.removeItem(at: log) }
        let tool = [
            "strace", "-f", "-v", "-qq", "-xx", "-s", "1048576", "-o", log.path(),
            "-e", "trace=execve,write,pwrite64,writev,pwritev,sendto,sendmsg",
        ]
        let run = try program.start(under: tool, scene.arguments(base), input: scene.input(base)).wait()
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
