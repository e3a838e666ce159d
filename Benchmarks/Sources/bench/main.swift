import Foundation

// Prints how we compare with others in this run. Nothing fails because it is slow: the table says so,
// and that is all.

let arguments = CommandLine.arguments.dropFirst()
guard !arguments.contains("--help"), let options = Options(parsing: arguments) else {
    print(Options.usage)
    exit(arguments.contains("--help") ? 0 : 64)
}

/// What is done in memory. The second program is gone when this ends.
func inMemory(_ options: Options, _ tink: TinkPeer?) throws -> [Row] {
    let second = try options.second.map(SecondProgram.init(path:))
    var rows = try AEADRows.all(tink: tink, second: second) + FieldRows.all(second: second)
    rows += try KeyboxRows.all(tink: tink, second: second) + WrapRows.all()
    rows += try ChatRows.all(second: second) + AgreementRows.all(second: second)
    return try rows + PieceRows.all(second: second)
}

do {
    guard !options.isServer else {
        try Server.run()
        exit(0)
    }
    let tink = try options.python.map(TinkPeer.init(python:))
    var rows = try inMemory(options, tink)
    if let program = options.program {
        rows += try ScratchFolder.with { folder in
            let stage = try Stage(program, in: folder)
            return try [StartRow.row(stage)] + VaultRows.all(stage) + StreamRows.all(program, in: folder)
        }
    }
    let table = Table(rows)
    print(options.isMarkdown ? table.markdown : table.text)
    print("", Notes.text(of: rows), separator: "\n")
} catch {
    FileHandle.standardError.write(Data("bench: error: \(error)\n".utf8))
    exit(1)
}
