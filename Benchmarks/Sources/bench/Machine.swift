import CPeers
import Foundation

/// Where and when the table was made, without the name of the machine.
struct Machine: Codable {
    let processor: String
    let system: String
    let versions: String
    let date: String
    /// How many processes wanted to run, on average over the minute before the first row and over the one before the last.
    let loads: [Double]

    /// Asks all but the load before.
    init(_ options: Options, loadBefore: Double) throws {
        let info = ProcessInfo.processInfo
        processor =
            "\(Self.processorName), \(info.activeProcessorCount) processors, \(info.physicalMemory >> 30) GiB of memory"
        system =
            "\(info.operatingSystemVersionString), \(try Command(arguments: ["uname", "-sm"]).line())"
        versions = try Self.versions(options).joined(separator: ", ")
        date = Date.now.formatted(.iso8601)
        loads = [loadBefore, Self.load]
    }

    static var load: Double {
        var load = 0.0
        return getloadavg(&load, 1) == 1 ? load : .nan
    }

    var lines: [String] {
        [
            processor, system, versions,
            "\(date), load \(loads.map { String(format: "%.2f", $0) }.joined(separator: " at the beginning, ")) at the end",
        ]
    }

    private static var processorName: String {
        let info = (try? String(contentsOf: URL(filePath: "/proc/cpuinfo"), encoding: .utf8)) ?? ""
        let line = info.split(separator: "\n").first { $0.hasPrefix("model name") }
        let name =
            line?.split(separator: ":").last.map(String.init)
            ?? (try? Command(arguments: ["sysctl", "-n", "machdep.cpu.brand_string"]).line())
        return name?.trimmingCharacters(in: .whitespaces) ?? "unknown processor"
    }

    private static func versions(_ options: Options) throws -> [String] {
        let ours = try options.program.map { try Command(arguments: [$0, "version"]).line() }
        let age = try? Command(arguments: ["age", "--version"]).line()
        return [
            ours, "libcrypto \(String(cString: peer_libcrypto_version()))",
            "libsodium \(String(cString: peer_libsodium_version()))", age.map { "age \($0)" },
        ].compactMap(\.self)
    }
}

extension Command {
    /// The first line that it writes.
    fileprivate func line() throws -> String {
        try output().split(separator: "\n").first.map(String.init) ?? ""
    }
}
