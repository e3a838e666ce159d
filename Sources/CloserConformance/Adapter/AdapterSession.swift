package import CloserSystem
internal import CloserVectors
internal import CloserWire

/// One run of an adapter, from `start` to `stop`.
package final class AdapterSession {
    /// Why an answer is missing.
    package enum Fault: Error, Equatable, Sendable {
        case process(ChildProcessError, limit: Duration)
        /// It wrote a line that answers something else. The words say why, and how the line begins.
        case garbage(String)

        package var words: String {
            switch self {
            case .process(.cannotStart(let reason), _): "it cannot be started: \(reason.lowercased())"
            case .process(.timedOut(0), let limit):
                "no answer within \(Self.seconds(limit)) s (does it flush each line?)"
            case .process(.timedOut(let count), let limit):
                "no answer within \(Self.seconds(limit)) s\(Self.unfinished(count))"
            case .process(.ended(let how, let count), _):
                "it ended \(how) instead of answering\(Self.unfinished(count))"
            case .process(.closedOutput(let count), _):
                "it closed its standard output instead of answering\(Self.unfinished(count))"
            case .process(.lineTooLong, _): "a line of more than \(ChildProcess.maximumLineByteCount) bytes"
            case .garbage(let why): "no answer: \(why)"
            }
        }

        private static func unfinished(_ count: Int) -> String {
            switch count {
            case 0: ""
            case 1: ": it wrote 1 byte without a newline at its end"
            default: ": it wrote \(count) bytes without a newline at their end"
            }
        }

        private static func seconds(_ limit: Duration) -> String {
            let (seconds, attoseconds) = limit.components
            let tenths = attoseconds / 100_000_000_000_000_000
            return tenths == 0 ? "\(seconds)" : "\(seconds).\(tenths)"
        }
    }

    let features: Set<String>
    private let process: ChildProcess
    private let timeLimit: Duration
    private var lastNumber = 0

    init(_ command: [String], timeLimit: Duration) throws(Fault) {
        do { process = try ChildProcess(command) } catch { throw .process(error, limit: timeLimit) }
        self.timeLimit = timeLimit
        let start: JSONValue = ["seq": .number(0), "cmd": "start", "version": .number(1)]
        let line: [UInt8]
        do { line = try process.exchange(start.printableBytes, within: timeLimit) } catch {
            throw .process(error, limit: timeLimit)
        }
        features = try AdapterLine(line, answering: 0).features()
    }

    func answer(_ test: VectorCase) throws(Fault) -> Answer {
        lastNumber += 1
        let request: JSONValue = [
            "seq": .number(Double(lastNumber)), "cmd": "run", "op": .string(test.operation),
            "case": test.input.value,
        ]
        let line: [UInt8]
        do { line = try process.exchange(request.printableBytes, within: timeLimit) } catch {
            throw .process(error, limit: timeLimit)
        }
        return try AdapterLine(line, answering: lastNumber).answer()
    }

    func stop() {
        let stop: JSONValue = ["cmd": "stop"]
        process.end(with: stop.printableBytes)
    }
}
