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
    var rows = try AEADRows.all(tink: tink) + FieldRows.all() + KeyboxRows.all(tink: tink)
    if let program = options.program { rows.append(try StartRow.row(program: program)) }
    let table = Table(rows)
    print(options.isMarkdown ? table.markdown : table.text)
    print("", Notes.text(hasTink: tink != nil), separator: "\n")
} catch {
    FileHandle.standardError.write(Data("bench: error: \(error)\n".utf8))
    exit(1)
}
