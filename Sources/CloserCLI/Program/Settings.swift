internal import CloserFiles
internal import CloserSystem
internal import CloserWire

// What the environment sets. A malformed variable is an error: to ignore it would use another vault.

extension Environment {
    /// A variable that the program obeys; nil if it is unset or empty.
    static func setting(_ name: String) throws -> String? {
        let value = variable(name)
        guard value != nil || !isSet(name) else { throw CLIError(.usage, "\(name) is not UTF-8") }
        return value
    }

    /// A folder of the XDG base directory specification, by which a relative path is invalid and ignored; nil without a
    /// home folder that is there and has an absolute path.
    static func folder(_ variable: String, orInHome place: String) throws -> String? {
        if let folder = try setting(variable), folder.hasPrefix("/") { return folder }
        guard let home = try setting("HOME"), home.hasPrefix("/"), !Paths.isMissing(home) else { return nil }
        return "\(home)/\(place)"
    }
}
