internal import CCloserSystem

/// What the process denies to others, and how it ends when it is told to.
package enum ProcessLimits {
    /// No core dump, and no ptrace by other processes of this user. False if the system refuses.
    @discardableResult
    package static func denyDumps() -> Bool { closer_deny_dumps() }

    /// A closed pipe becomes an error; an interrupt removes the temporary file and exits with 128 + signal.
    package static func installSignals() { closer_install_signals() }
}
