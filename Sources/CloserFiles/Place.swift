/// Where a file is, or would be, looked up once: its folder, which is held open, and the absolute paths that meant it then.
///
/// Whoever can write a folder above can exchange it at any moment. What was looked up stays the place.
package struct Place: Sendable {
    /// The file, by the one name that is no link.
    package let entry: FolderEntry
    /// The absolute paths that mean it, each once: as it is named, from the working folder on, by each of its names; with its folder
    /// free of links; and last with all of it free of links.
    package let paths: [String]

    /// As it is named, from the working folder on, whose own path is free of links. As it was given if that path is not UTF-8: then it is
    /// known nowhere.
    package let name: String

    /// Follows every link. There need not be a file, but a folder for it.
    package init(_ path: String) throws(FileError) {
        // Once is enough unless somebody exchanges links at this moment.
        for _ in 0..<100 {
            let resolved = try Folder.resolved(path)
            let place = Place(
                entry: FolderEntry(
                    path, in: try OpenFolder(withoutLinks: SafeFile.folder(of: resolved)),
                    name: SafeFile.name(of: resolved)
                ),
                paths: Folder.absolutePaths(of: path, resolved: resolved),
                name: Folder.absoluteName(of: path) ?? path)
            let again = try Folder.resolved(path)
            guard try place.isMet(by: path), place.isNamed, again.utf8.elementsEqual(resolved.utf8) else {
                continue
            }
            self = place
            return
        }
        throw .cannotOpen(path: path, reason: "Somebody exchanges it again and again")
    }

    /// Whether it is the very name in the very folder that was named: no link led to another one.
    package var isAsNamed: Bool {
        entry.name.utf8.elementsEqual(SafeFile.name(of: entry.path).utf8)
            && (try? FileIdentity.look(SafeFile.folder(of: entry.path))) == entry.folder.identity
    }

    /// Whether the name as it was given leads to the same file or name: a path is a text, which may mean another folder than `..` does.
    private func isMet(by path: String) throws(FileError) -> Bool {
        let (file, isLink) = (try entry.look()?.identity, try SafeFile.isLink(path))
        return try FileIdentity(path: path) == file ?? entry.nameIdentity
            && (isLink || !entry.name.utf8.elementsEqual(SafeFile.name(of: path).utf8) || isAsNamed)
    }

    /// Whether there is a folder.
    package var isFolder: Bool { (try? entry.look())?.isDirectory ?? false }

    private init(entry: FolderEntry, paths: [String], name: String) {
        (self.entry, self.paths, self.name) = (entry, paths, name)
    }

    /// Whether its folder still has its name.
    package var isNamed: Bool {
        guard let resolved = paths.last else { return false }
        return (try? FileIdentity.look(SafeFile.folder(of: resolved))) == entry.folder.identity
    }
}
