import Foundation

/// A folder for files that nobody needs afterwards.
enum ScratchFolder {
    /// Lends its path; the folder goes when `body` ends.
    static func with<Result: ~Copyable>(_ body: (String) throws -> Result) throws -> Result {
        let folder = FileManager.default.temporaryDirectory.appending(path: "closer-keys-bench-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        return try body(folder.path)
    }
}
