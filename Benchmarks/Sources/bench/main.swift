import CPeers
import Foundation

// Prints how we compare with others in this run. Nothing fails because it is slow: the table says so,
// and that is all.

let arguments = CommandLine.arguments.dropFirst()
guard !arguments.contains("--help"), let options = Options(parsing: arguments) else {
    print(Options.usage)
    exit(arguments.contains("--help") ? 0 : 64)
}

/// What is done in memory. The other programs are gone when this ends.
func inMemory(_ options: Options) throws -> [Row] {
    peer_share_one_processor()
    defer { peer_use_all_processors() }
    let second = try options.second.map(PeerProgram.second)
    let tink = try options.python.map(PeerProgram.tink)
    var rows = try AEADRows.all(tink: tink, second: second) + FieldRows.all(second: second)
    rows += try KeyboxRows.all(tink: tink, second: second) + WrapRows.all()
    rows += try ChatRows.all(second: second) + AgreementRows.all(second: second)
    return try rows + PieceRows.all(second: second) + JSONRows.all() + LockRows.all()
}

/// What the program does, from start to finish.
func processes(_ program: String) throws -> [Row] {
    try ScratchFolder.with { folder in
        let stage = try Stage(program, in: folder)
        let rows = try StartRows.all(stage) + VaultRows.all(stage) + BatchRows.all(stage)
        return try rows + VectorRows.all(stage) + StreamRows.all(program, in: folder)
    }
}

func run(_ options: Options) throws {
    let loadBefore = Machine.load
    let rows = try inMemory(options) + (options.program.map(processes) ?? [])
    print(Table(rows).text, "", Notes.lines(of: rows).joined(separator: "\n"), separator: "\n")
    guard let folder = options.results else { return }
    try Results(machine: Machine(options, loadBefore: loadBefore), rows: rows).write(into: folder)
}

do {
    if options.isServer {
        try Server.run()
    } else if let command = options.peak {
        try command.printPeak()
    } else {
        try run(options)
    }
} catch {
    FileHandle.standardError.write(Data("bench: error: \(error)\n".utf8))
    exit(1)
}
