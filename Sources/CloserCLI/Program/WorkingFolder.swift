internal import CloserFiles
internal import CloserWire
internal import Synchronization

extension WorkingFolder {
    private static let told = Mutex<String?>(nil)

    /// Tells once that somebody moved it, and each folder above it that is not the one that a person means who believes the shell.
    static func tell() {
        for doubt in takeDoubts() { tell(doubt) }
        let now = Folder.absolutePath(of: ".")
        let former = told.withLock { told in
            defer { told = now }
            return told ?? path
        }
        guard former.map(WireText.init) != now.map(WireText.init) else { return }
        Messages.insist(
            "the working folder \(former.map { "was \($0)" } ?? "had no path") at first and \(now.map { "is \($0)" } ?? "has no path") now: a relative name may have meant a file in either"
        )
    }

    private static func tell(_ doubt: Doubt) {
        Messages.insist(
            "\(doubt.name) is \(doubt.path ?? "a folder without a path") here, and not \(doubt.believed), as the shell's name of the working folder says"
        )
    }
}
