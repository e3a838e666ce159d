internal import CloserFiles
internal import CloserVectors
internal import CloserWire

/// Where the vectors of a name are: in this program, or in a file.
///
/// `builtin:field` is in the program; what has a slash, and `-`, is a file. Any other name is the one of the two that exists. If both
/// exist, the name is refused: a file in the working folder would hide the program's own.
enum VectorSource {
    /// By its name in the program, such as `field.json`.
    case own(String)
    case file(String)

    var isOwn: Bool {
        guard case .own = self else { return false }
        return true
    }

    private static let scheme = "builtin:"

    init(_ text: String) throws {
        if text.hasPrefix(Self.scheme) {
            self = .own(try Self.ownName(of: text))
        } else {
            self = try Self.either(text)
        }
    }

    private static func either(_ text: String) throws -> VectorSource {
        guard isBare(text), let own = name(of: text) else { return .file(text) }
        guard Paths.isMissing(text) else {
            throw CLIError(
                .usage, "\(text) is a file here, and a file of vectors in this program",
                hint: "say which: ./\(text), or \(scheme)\(own.dropLast(".json".count))")
        }
        return .own(own)
    }

    /// The name that a file in this program has; `builtin:` in front of it is optional.
    static func ownName(of text: String) throws -> String {
        let name = text.hasPrefix(scheme) ? String(text.dropFirst(scheme.count)) : text
        if let own = Self.name(of: name) { return own }
        throw CLIError(.noInput, "there is no \(scheme)\(name) in this program", hint: hint(for: name))
    }

    private static func name(of text: String) -> String? {
        EmbeddedVectors.names.first { $0 == text || $0 == "\(text).json" }
    }

    private static func isBare(_ text: String) -> Bool {
        text != "-" && !text.utf8.contains(UInt8(ascii: "/"))
    }

    /// What to do about an unknown name.
    static func hint(for text: String) -> String {
        near(text).map { "did you mean \($0)?" }
            ?? "closer-keys vectors export shows the names of those in this program"
    }

    private static func near(_ text: String) -> String? {
        let names = EmbeddedVectors.names
        return NearName.of(text, among: names + names.map { String($0.dropLast(".json".count)) })
    }

    /// Refuses a mistyped name of a file in this program, unless a file here has the name.
    static func refuseMistyped(_ text: String) throws {
        guard isBare(text), !text.hasPrefix(scheme), Paths.isMissing(text), name(of: text) == nil,
            let near = near(text)
        else { return }
        throw CLIError(.noInput, "there is no file \(text)", hint: "did you mean \(near)?")
    }
}
