internal import CloserVectors
internal import CloserWire

/// Operations as a person names them: one by its name, or several by the word that their names begin with. `field` is `field.open` and
/// `field.seal`.
enum OperationNames {
    /// Empty for an unknown name.
    static func named(_ name: String, among operations: [VectorOperation]) -> [VectorOperation] {
        let one = operations.filter { $0.name == name }
        return one.isEmpty ? operations.filter { $0.name.hasPrefix("\(name).") } : one
    }

    /// What to type in place of an unknown name.
    static func hint(for name: String, among operations: [VectorOperation]) -> String {
        let (names, word) = (operations.map(\.name), name.prefix { $0 != "." })
        if let near = NearName.of(name, among: names) { return "did you mean \(near)?" }
        let similar = names.filter { $0.hasPrefix("\(word).") }
        guard similar.isEmpty else { return "there are \(similar.joined(separator: ", "))" }
        let words = names.map { String($0.prefix { $0 != "." }) }
        return NearName.of(name, among: words).map { "did you mean \($0)?" }
            ?? "there are \(names.joined(separator: ", "))"
    }
}

extension AdapterOptions {
    /// The operations that `--require` names. A word means those of `asked`, or all of that word if none of these has it.
    func required(of asked: [VectorOperation]) throws -> [String] {
        try require.flatMap { list in
            let names = list.split { ", ".contains($0) }.map(String.init)
            guard !names.isEmpty else { throw CLIError(.usage, "--require names no operation") }
            return try names.flatMap { try Self.operations($0, asked).map(\.name) }
        }
    }

    private static func operations(_ name: String, _ asked: [VectorOperation]) throws -> [VectorOperation] {
        let all = VectorOperation.all
        for operations in [asked, all] {
            let named = OperationNames.named(name, among: operations)
            if !named.isEmpty { return named }
        }
        throw CLIError(
            .usage, "--require: there is no operation '\(Shown.short(name))'",
            hint: OperationNames.hint(for: name, among: all))
    }
}
