package import CloserVectors

/// A program of another author that answers vectors over the line protocol, version 1.
///
/// If it hangs, dies or writes anything but an answer, the case fails; the program is killed, and started again for the next
/// case. After ``maximumFaultsInARow`` it is asked no more, and the rest counts as not covered.
package final class Adapter: Implementation {
    /// A silent program costs at most this many time limits.
    package static let maximumFaultsInARow = 3

    private let command: [String]
    private let timeLimit: Duration
    private var session: AdapterSession?
    private var faultsInARow = 0

    /// What it says that it has.
    package let features: Set<String>

    /// Those of its features that are unknown operations, most often because a name is misspelt.
    package var unknownFeatures: [String] { features.subtracting(VectorOperation.all.map(\.name)).sorted() }

    /// Starts the program and asks for its features.
    package init(_ command: [String], timeLimit: Duration) throws(AdapterSession.Fault) {
        let session = try AdapterSession(command, timeLimit: timeLimit)
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

    /// Tells the program that the last case is done.
    package func stop() {
        session?.stop()
        session = nil
    }

    /// Ends the program. The next case starts it again, and its features stay those of the first start.
    package func restart() { stop() }

    private func runningSession() throws(AdapterSession.Fault) -> AdapterSession {
        if let session { return session }
        let started = try AdapterSession(command, timeLimit: timeLimit)
        session = started
        return started
    }
}
