#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// What the process was given besides its arguments.
public enum Surroundings {
    /// The value of an environment variable; nil if it is not set, empty or not UTF-8.
    public static func variable(_ name: String) -> String? {
        let value = unsafe getenv(name).flatMap { unsafe String(validatingCString: $0) }
        return value?.isEmpty == false ? value : nil
    }

    /// The one absolute path of a file that is there, without links; nil if there is none.
    public static func absolutePath(of path: String) -> String? {
        guard let resolved = unsafe realpath(path, nil) else { return nil }
        defer { unsafe free(resolved) }
        return unsafe String(validatingCString: resolved)
    }

    /// Makes a folder that only its owner may enter, and those above it, where they are missing.
    public static func makeFolder(_ path: String) throws(FileError) {
        var made = ""
        for part in path.split(separator: "/", omittingEmptySubsequences: false) {
            made += part.isEmpty ? "" : String(part)
            if !made.isEmpty, unsafe mkdir(made, 0o700) != 0, errno != EEXIST {
                throw .cannotCreate(path: made, reason: FileError.lastReason)
            }
            made += "/"
        }
    }
}
