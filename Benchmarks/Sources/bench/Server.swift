import Foundation

/// The second program's side: says who computes, and then works when it is asked to.
///
/// A line of input is a name and a number, such as `aeadSeal 4096`; the answer is how many nanoseconds that took.
enum Server {
    static func run() throws {
        var contestants: [Work: any Contestant] = [:]
        say(Provider.ours)
        while let line = readLine() {
            let (work, times) = try request(in: line)
            let contestant = try contestants[work] ?? work.contestant()
            contestants[work] = contestant
            say("\(try contestant.time(times) / .nanoseconds(1))")
        }
    }

    private static func request(in line: String) throws -> (Work, Int) {
        let words = line.split(separator: " ")
        guard words.count == 2, let work = Work(rawValue: String(words[0])), let times = Int(words[1]) else {
            throw PeerFailure(description: "nobody has asked for \(line)")
        }
        return (work, times)
    }

    private static func say(_ line: String) {
        print(line)
        fflush(nil)
    }
}
