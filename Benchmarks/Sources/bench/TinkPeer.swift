import Foundation

/// Google's Tink, timed by `tink_peer.py` in a Python of its own just before our rows.
///
/// The numbers hold Python's cost of a call; underneath is Tink's C++.
struct TinkPeer: Decodable {
    static let name = "Tink (Python's call, C++)"
    static let notes = [
        "Tink did not take turns: it ran in a process of its own just before. Its times hold Python's",
        "cost of a call.",
    ]

    let aeadSeal: Timing
    let aeadOpen: Timing
    let hybridSeal: Timing
    let hybridOpen: Timing

    // Not Foundation's Process: it leaves threads behind, and with them malloc takes locks.
    /// Runs the script, which prints one JSON object.
    init(python: String) throws {
        let command = Command(arguments: [python, Self.script, Self.text(.field), Self.text(.key)])
        let json = try ScratchFolder.with { folder in
            try command.run(output: folder + "/tink.json")
            return try Data(contentsOf: URL(filePath: folder + "/tink.json"))
        }
        self = try JSONDecoder().decode(TinkPeer.self, from: json)
    }

    /// Beside Package.swift.
    private static var script: String {
        URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../tink_peer.py").path
    }

    /// How many bytes to seal, and what they are tied to.
    private static func text(_ message: Message) -> String {
        "\(message.plaintext.count):" + String(decoding: message.associatedData, as: UTF8.self)
    }
}
