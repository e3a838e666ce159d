internal import ArgumentParser

/// A noun: it does nothing without a verb, and a script that forgot it must not take that for success.
protocol CommandGroup: ParsableCommand {}

extension CommandGroup {
    func run() throws {
        let name = Self.configuration.commandName ?? Self._commandName
        throw Failure(.usage, "\(name) needs a command", hint: "closer-keys \(name) --help")
    }
}
