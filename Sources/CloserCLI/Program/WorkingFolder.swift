internal import CloserFiles
internal import Synchronization

extension WorkingFolder {
    /// Its path as it was told last; nil if it was not.
    private static let told = Mutex<[UInt8]??>(nil)

    /// Warns once if the working folder was moved, and once for each `..` that leads elsewhere than the shell believes.
    static func tell() {
        for doubt in takeDoubts() { tell(doubt) }
        let now = Folder.workingFolderBytes
        let former = told.withLock { told in
            defer { told = .some(now) }
            return told ?? pathBytes
        }
        guard former != now else { return }
        Messages.insist(
            "the working folder \(former.map { "was \(shown($0))" } ?? "had no path") at first and \(now.map { "is \(shown($0))" } ?? "has no path") now: a relative name may have meant a file in either"
        )
    }

    /// What is no text is replaced.
    private static func shown(_ path: [UInt8]) -> String { String(decoding: path, as: UTF8.self) }

    private static func tell(_ doubt: Doubt) {
        guard doubt.path != doubt.believed else {
            return Messages.insist(
                "\(doubt.name) may not be \(doubt.believed): somebody moves it, or a folder above it is closed to you"
            )
        }
        Messages.insist(
            "\(doubt.name) is \(doubt.path ?? "a folder that cannot be named"), not \(doubt.believed): PWD says that the working folder is \(doubt.shell)"
        )
    }
}
