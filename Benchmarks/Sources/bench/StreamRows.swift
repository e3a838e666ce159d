import CPeers
import Foundation

/// A file of 1 GiB through the program, from one file to another and onto the disk.
enum StreamRows {
    static func all(_ program: String, in folder: String) throws -> [Row] {
        let files = try StreamFiles(program, in: folder)
        return [try row("seal a file of 1 GiB", .seal, files), try row("open a file of 1 GiB", .open, files)]
    }

    private static func row(_ work: String, _ verb: StreamFiles.Verb, _ files: StreamFiles) throws -> Row {
        let ours = Start(name: "closer-keys", command: files.ours(verb))
        var peers: [(any Contestant, Goal?)] = [
            (files.anew("bare", verb, BareStream(verb: verb, files: files)), .share(1.3))
        ]
        if let age = files.age(verb) {
            let start = Start(name: "age, without fsync", command: age)
            peers.append((files.anew("age", verb, start), .share(0.75)))
        }
        return try Row(
            work, files.anew("ours", verb, ours), against: peers
        ).noting([
            "Each run writes a new file; to remove the one before counts.",
            "closer-keys and the loop in C wait for the disk (fsync); age, if it is installed, does not.",
            "Of sealing, by perf, the system takes 75 percent to copy pages in and out, libcrypto 22, our own code 2.",
        ])
    }
}

/// Removes what the run before made, so that nobody writes into memory that was just given back.
private struct Anew: Contestant {
    let output: String
    let contestant: any Contestant

    var name: String { contestant.name }

    func run(_ times: Int) throws {
        for _ in 0..<times {
            unlink(output)
            try contestant.run(1)
        }
    }

    func peakBytes() throws -> Int? {
        unlink(output)
        return try contestant.peakBytes()
    }
}

/// The bare work in C: read, libcrypto, write, fsync.
private struct BareStream: Contestant {
    let name = "libcrypto EVP in C"
    let verb: StreamFiles.Verb
    let files: StreamFiles

    func run(_ times: Int) throws {
        for _ in 0..<times { try files.bare(verb) }
    }
}

/// One file, and what each has sealed of it.
private struct StreamFiles {
    enum Verb { case seal, open }

    private let program: String
    private let folder: String
    private let hasAge: Bool

    init(_ program: String, in folder: String) throws {
        (self.program, self.folder) = (program, folder)
        hasAge = (try? Command(arguments: ["age", "--version"]).run()) != nil
        try fill(file("plain"))
        try Command(
            arguments: [program, "keyset", "new", "--type", "aes256-gcm-hkdf-1mb", "-o", file("file.keyset")]
        ).run()
        for verb in [Verb.seal, .open] { try prepare(verb) }
    }

    func anew(_ who: String, _ verb: Verb, _ contestant: any Contestant) -> Anew {
        Anew(output: output(who, verb), contestant: contestant)
    }

    func ours(_ verb: Verb) -> Command {
        let paths = ["-o", output("ours", verb), input("ours", verb)]
        return Command(
            arguments: [program, "file", "\(verb)", "--keyset-file", file("file.keyset")] + paths)
    }

    func bare(_ verb: Verb) throws {
        guard peer_stream(verb == .seal, input("bare", verb), output("bare", verb)) else {
            throw PeerFailure(description: "libcrypto's stream failed")
        }
    }

    /// Nil if it is not installed.
    func age(_ verb: Verb) -> Command? {
        guard hasAge else { return nil }
        let key = verb == .seal ? ["-R", file("age.public")] : ["-d", "-i", file("age.key")]
        return Command(arguments: ["age"] + key + ["-o", output("age", verb), input("age", verb)])
    }

    private func input(_ who: String, _ verb: Verb) -> String { file(verb == .seal ? "plain" : who) }
    private func output(_ who: String, _ verb: Verb) -> String { file(verb == .seal ? who : who + ".opened") }

    /// One run of each, so that there is something to open.
    private func prepare(_ verb: Verb) throws {
        if hasAge, verb == .seal {
            try Command(arguments: ["age-keygen"]).run(output: file("age.key"))
            try Command(arguments: ["age-keygen", "-y", file("age.key")]).run(output: file("age.public"))
        }
        try ours(verb).run()
        try bare(verb)
        try age(verb)?.run()
    }

    private func fill(_ path: String) throws {
        try Data().write(to: URL(filePath: path))
        let target = try FileHandle(forWritingTo: URL(filePath: path))
        let piece = Data((0..<1 << 20).map { _ in UInt8.random(in: 0 ... .max) })
        for _ in 0..<1024 { try target.write(contentsOf: piece) }
        try target.close()
    }

    private func file(_ name: String) -> String { folder + "/" + name }
}
