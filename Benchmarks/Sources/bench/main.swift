import Foundation

// Prints how we compare with others in this run. Nothing fails because it is slow: the table says so,
// and that is all.

let arguments = CommandLine.arguments.dropFirst()
guard !arguments.contains("--help"), let options = Options(parsing: arguments) else {
    print(Options.usage)
    exit(arguments.contains("--help") ? 0 : 64)
}

do {
    let tink = try options.python.map(TinkPeer.init(python:))
    var rows = try AEADRows.all(tink: tink) + FieldRows.all() + KeyboxRows.all(tink: tink) + WrapRows.all()
    rows += try ChatRows.all() + AgreementRows.all()
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
