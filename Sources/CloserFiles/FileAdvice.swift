internal import CCloserFiles

/// What a person can do about a file that the system refused, and what to type, where the reason alone leads astray.
package enum FileAdvice {
    /// Nil where `reason` says enough: it does not show that a file is another user's, or is mounted by itself. Nothing gets another owner here.
    package static func about(_ path: String, _ reason: String) -> (text: String, command: String?)? {
        guard reason != FileError.reason(EBUSY) else {
            return ("a file that is mounted by itself cannot be replaced: mount its folder", nil)
        }
        guard reason == FileError.reason(EACCES), let status = try? FileStatus.look(path),
            status.isRegular, status.owner != geteuid()
        else { return nil }
        return ("\(path) belongs to \(name(of: status.owner))", "sudo chown \(name(of: geteuid())) FILE")
    }

    private static func name(of user: uid_t) -> String {
        guard let entry = unsafe getpwuid(user) else { return "\(user)" }
        return unsafe String(validatingCString: entry.pointee.pw_name) ?? "\(user)"
    }
}
