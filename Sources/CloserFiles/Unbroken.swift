internal import CCloserFiles

/// What no signal breaks off.
package enum Unbroken {
    /// Runs `body` to its end. A signal that would end the program, and whose handler asks for that, ends it afterwards: if the body
    /// were broken off, a file that somebody took away could come back as a change of which nobody knows.
    package static func change<Result, Failure: Error>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        closer_begin_change()
        defer { closer_end_change() }
        return try body()
    }

    /// The same for a change of which somebody must see something. The signal waits for the end of that, too; another one does not.
    package static func change(_ body: () throws -> Void, seen: () throws -> Void) throws {
        closer_begin_change()
        do { try body() } catch {
            closer_end_change()
            throw error
        }
        _ = closer_leave_change()
        defer { closer_end_if_waiting() }
        try seen()
    }
}
