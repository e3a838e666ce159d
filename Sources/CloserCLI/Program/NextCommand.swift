internal import CloserSystem
internal import CloserWire

/// A command that a person is told to type next, on a line of its own. It runs as it is printed, in the vault that this run's arguments name; words in capitals stand
/// for what only the person has: files, ids and keys.
enum NextCommand {
    /// `words` behind the program's name, and the options of this run that say which vault, after `options` as this run has them.
    static func line(
        _ words: String, with options: [String] = [], opening vault: [String] = ["--vault", "--key-file"]
    ) -> String {
        let given = (options + vault).compactMap { option in
            ProcessArguments.value(of: option).map { " \(option.option($0.shellWord))" }
        }
        return "closer-keys \(words)\(given.joined())"
    }
}

extension ProcessArguments {
    /// The value of an option among the arguments of this run.
    static func value(of option: String) -> String? {
        let given = (all ?? []).prefix { $0 != "--" }
        let joined = given.last { $0.hasPrefix("\(option)=") }.map { String($0.dropFirst(option.count + 1)) }
        guard let place = given.lastIndex(of: option), place + 1 < given.endIndex else { return joined }
        return given[place + 1]
    }
}

extension String {
    /// The text, quoted for a shell.
    var shellWord: String {
        let isPlain = utf8.allSatisfy { byte in
            UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
                || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || Self.plainSigns.contains(byte)
        }
        guard !isPlain || isEmpty else { return self }
        return "'\(split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''"))'"
    }

    private static let plainSigns = Array("_-./:=@%+,".utf8)
}
