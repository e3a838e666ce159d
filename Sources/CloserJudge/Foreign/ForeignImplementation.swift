package import CloserVectors

/// A program of somebody else that answers vectors over the line protocol, version 1.
///
/// One that hangs, dies or answers what is no answer fails that case, is killed, and is started again for the next;
/// after ``maximumFaultsInARow`` it is given up, and the rest is not covered.
package final class ForeignImplementation: Implementation {
    /// A program that never answers costs no more than this many time limits.
    package static let maximumFaultsInARow = 3

    private let command: [String]
    private let timeLimit: Duration
    private var session: ForeignSession?
    private var faultsInARow = 0

    /// The operations that it has.
    package let features: Set<String>

    /// The features that are no operations, for which nobody asks: most often a slip in a name.
    package var unknownFeatures: [String] { features.subtracting(VectorOperation.all.map(\.name)).sorted() }

    /// Starts the program, and learns what it can do.
    package init(_ command: [String], timeLimit: Duration) throws(ForeignSession.Fault) {
        let session = try ForeignSession(command, timeLimit: timeLimit)
        (self.command, self.timeLimit) = (command, timeLimit)
        (features, self.session) = (session.features, session)
    }

    package func answer(_ test: VectorCase) -> Answer {
        guard features.contains(test.operation) else {
            return Answer(.skipped("no operation \(test.operation)"))
        }
        guard faultsInARow < Self.maximumFaultsInARow else {
            return Answer(.skipped("given up after \(faultsInARow) faults in a row"))
        }
        do {
            let answer = try runningSession().answer(test)
            faultsInARow = 0
            return answer
        } catch {
            faultsInARow += 1
            session = nil
            return Answer(.fault(error.words))
        }
    }

    /// Tells the program that nothing follows.
    package func stop() {
        session?.stop()
        session = nil
    }

    /// Lets the program end; the next case starts it again, and does not ask for its features.
    package func restart() { stop() }

    private func runningSession() throws(ForeignSession.Fault) -> ForeignSession {
        if let session { return session }
        let started = try ForeignSession(command, timeLimit: timeLimit)
        session = started
        return started
    }
}
