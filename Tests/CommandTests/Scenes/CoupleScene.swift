import Testing

/// The folder that Scripts/Scenes/couple.txt describes.
struct CoupleScene {
    let program: ClosingProgram

    init() async throws { program = try await ClosingProgram(after: Script(named: "Scenes/couple")) }

    /// Runs a script with the short names.
    func run(_ text: String) throws -> ClosingProgram.Run { try program.script(text) }

    @discardableResult
    func lines(_ text: String) throws -> [String] { try program.lines(text) }
}
