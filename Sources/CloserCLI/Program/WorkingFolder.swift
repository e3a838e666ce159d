internal import CloserFiles
internal import CloserWire
internal import Synchronization

/// The folder that relative names are looked up in. They are when they are used, so two files of one run may be in different folders.
enum WorkingFolder {
    private static let told = Mutex<String?>(nil)

    /// Before any file is opened.
    static func note() { told.withLock { $0 = Folder.absolutePath(of: ".") } }

    /// Tells that somebody moved it, once.
    static func tell() {
        let now = Folder.absolutePath(of: ".")
        let former = told.withLock { told in
            defer { told = now }
            return told
        }
        guard former.map(WireText.init) != now.map(WireText.init) else { return }
        Messages.insist(
            "the working folder \(former.map { "was \($0)" } ?? "had no path") at first and \(now.map { "is \($0)" } ?? "has no path") now: a relative name may have meant a file in either"
        )
    }
}
