#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Android)
    internal import Android
#else
    internal import Darwin
#endif

/// The working folder and those above it at one moment. They are held open.
struct NotedFolders: Sendable {
    /// Without links; nil if it has none.
    let path: String?
    /// The same as bytes, which need be no text.
    var pathBytes: [UInt8]?
    /// Whether the folders above were looked for.
    let areLookedFor: Bool
    /// The working folder, the one above it, and so on, as far as this user may go.
    private let folders: [OpenFolder]
    /// Why the last one could not be left; 0 if it is the root, above which it is itself.
    let lastError: CInt
    private var doubts: [Int: WorkingFolder.Doubt] = [:]
    private var used: Set<Int> = []

    /// More than anybody climbs: each is a descriptor.
    private static let maximumCount = 64

    init(climbing: Bool = true) {
        (path, pathBytes, areLookedFor) = (Folder.systemPath("."), Folder.workingFolderBytes, climbing)
        // Without a path, the root is where `..` leads no farther.
        let height = path.map { $0.utf8.split(separator: UInt8(ascii: "/")).count }
        var folders: [OpenFolder] = []
        var isRoot = !climbing
        errno = ENAMETOOLONG
        while !isRoot, folders.count < Self.maximumCount, let folder = OpenFolder(above: folders.last) {
            isRoot = height.map { $0 == folders.count } ?? (folder.identity == folders.last?.identity)
            folders.append(folder)
            errno = ENAMETOOLONG
        }
        lastError = isRoot ? 0 : errno
        self.folders = folders
    }

    /// Whether each folder is where the path says: nobody moved one between the looks. One that cannot be looked at is no proof of that.
    var areAtTheirPath: Bool {
        guard path != nil else { return true }
        return folders.indices.allSatisfy { count in
            path(above: count).flatMap { try? FileIdentity.look($0) } == folders[count].identity
        }
    }

    private func path(above count: Int) -> String? {
        path.map { count == 0 ? $0 : Folder.climbed("\($0)/\(Climb.name(count))") }
    }

    /// The folder that so many `..` mean; nil if this user could not go there.
    mutating func use(_ count: Int) -> OpenFolder? {
        guard count < folders.count || lastError == 0, let last = folders.indices.last else { return nil }
        used.insert(min(count, last))
        return folders[min(count, last)]
    }

    // MARK: - What the shell says

    /// Finds the folders above that are not certainly those above the folder in `PWD`.
    mutating func judge(whatTheShellSays shell: String, isText: Bool) {
        if isText, let path, path.utf8.elementsEqual(shell.utf8), areAtTheirPath { return }
        for count in folders.indices.dropFirst() {
            let believed = Folder.climbed("\(shell)/\(Climb.name(count))")
            let isThere = isText && (try? FileIdentity.look(believed)) == folders[count].identity
            guard !isThere else { continue }
            doubts[count] = WorkingFolder.Doubt(
                name: Climb.name(count), path: path(above: count), believed: believed, shell: shell)
        }
    }

    /// See ``WorkingFolder/takeDoubts()``.
    mutating func takeDoubts() -> [WorkingFolder.Doubt] {
        let counts = used.sorted()
        used = []
        return counts.compactMap { doubts.removeValue(forKey: $0) }
    }
}
