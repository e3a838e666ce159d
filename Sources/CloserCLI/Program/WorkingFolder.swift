internal import CloserFiles
internal import CloserWire
internal import Synchronization

extension WorkingFolder {
    /// Its path as it was told last; nil if it was not.
    private static let told = Mutex<String??>(nil)

    /// Warns once if the working folder was moved, and once for each `..` that leads elsewhere than the shell believes.
    static func tell() {
        for doubt in takeDoubts() { tell(doubt) }
        let now = Folder.shownWorkingFolder
        let former = told.withLock { told in
            defer { told = .some(now) }
            return told ?? path
        }
        guard former.map(WireText.init) != now.map(WireText.init) else { return }
        Messages.insist(
            "the working folder \(former.map { "was \($0)" } ?? "had no path") at first and \(now.map { "is \($0)" } ?? "has no path") now: a relative name may have meant a file in either"
        )
    }

    private static func tell(_ doubt: Doubt) {
        Messages.insist(
            "\(doubt.name) is \(doubt.path ?? "a folder that cannot be named"), not \(doubt.believed): PWD says that the working folder is \(doubt.shell)"
        )
    }
}
