internal import CCloserFiles

/// What no signal breaks off.
package enum Unbroken {
    /// Runs `body` to its end. A signal that would end the program, and whose handler asks for that, ends it afterwards: if the body
    /// were broken off, a file that somebody took away could come back as a change of which nobody knows.
    ///
    /// If `body` throws, the signal waits on: the error must be told first. It ends the program after the next change or the next
    /// output that it waits for.
    package static func change<Result, Failure: Error>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        closer_begin_change()
        let result: Result
        do { result = try body() } catch {
            _ = closer_leave_change()
            throw error
        }
        closer_end_change()
        return result
    }

    /// Runs `body`, in which a change begins and ends that is not whole before all of `body` is done. Until the change begins,
    /// a signal ends the program at once.
    ///
    /// If `body` throws after a change was made, no signal ends the program any more: the error says what was made, so it is told.
    package static func lasting<Result>(_ body: () throws -> Result) throws -> Result {
        closer_begin_lasting()
        let result: Result
        do { result = try body() } catch {
            closer_abandon_lasting()
            throw error
        }
        if closer_leave_lasting() { closer_end_if_waiting() }
        return result
    }

    /// The same for a change of which somebody must see something. `seen` shows it, and says when it is there: a signal that comes
    /// until then waits for the end of `seen`; one that comes afterwards does not. If it cannot be shown, no signal ends the program
    /// any more, as above.
    package static func lasting(
        _ body: () throws -> Void, seen: (_ isThere: () -> Void) throws -> Void
    ) throws {
        closer_begin_lasting()
        var lasts = true
        let leave = {
            if lasts { _ = closer_leave_lasting() }
            lasts = false
        }
        do {
            try body()
            try seen(leave)
        } catch {
            if lasts { closer_abandon_lasting() }
            throw error
        }
        leave()
        closer_end_if_waiting()
    }
}
