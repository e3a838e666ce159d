// mutants ROOT FILE ...: every change of the files below ROOT that a test should notice, a JSON object a line.

import Foundation
import SwiftOperators
import SwiftParser
import SwiftSyntax

let root = URL(filePath: CommandLine.arguments[1])
let encoder = JSONEncoder()
encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
for name in CommandLine.arguments.dropFirst(2) {
    let parsed = Parser.parse(source: try String(contentsOf: root.appending(path: name), encoding: .utf8))
    // The operators of the project's own have no precedence here, and are left as they are.
    let tree = OperatorTable.standardOperators.foldAll(parsed) { _ in }
    let file = SourceFile(name: name, converter: SourceLocationConverter(fileName: name, tree: tree))
    let finder = MutantFinder(file)
    finder.walk(tree)
    for mutant in finder.mutants {
        print(String(decoding: try encoder.encode(mutant), as: UTF8.self))
    }
}
