internal import CloserFiles
internal import CloserPrimitives
internal import CloserSystem
internal import CloserWire
internal import Synchronization

/// Ends a run that cannot go on, however deep the call: with a message and an exit code, never with a signal.
enum Endings {
    /// Must come before anything that takes memory for a secret.
    static func install(wantsJSON: Bool) {
        ProcessLimits.installSignals()
        answersInJSON.store(wantsJSON, ordering: .relaxed)
        prepareLastWords()
        MemoryShortage.endsProcess { shortage in
            end(with: VaultDeed.told(with: Failure(shortage)), wantsJSON: wantsJSON)
        }
    }

    private static let answersInJSON = Atomic(false)

    /// Prepares what is said when no memory is left to prepare it. Called again after each change of the vault, so that it says that.
    static func prepareLastWords() {
        let wantsJSON = answersInJSON.load(ordering: .relaxed)
        ProcessEnd.speakLast(
            ofShortage: LastWords(VaultDeed.told(with: noMemory), wantsJSON: wantsJSON),
            ofFault: LastWords(VaultDeed.told(with: fault), wantsJSON: wantsJSON))
    }

    /// At once, from any thread.
    static func end(with failure: Failure, wantsJSON: Bool = false) -> Never {
        let words = LastWords(failure, wantsJSON: wantsJSON)
        if !words.output.isEmpty { try? Descriptor.standardOutput.write(Array(words.output.utf8).span) }
        Messages.failure(failure)
        ProcessEnd.now(failure.status.rawValue)
    }

    private static let noMemory = Failure(
        .limit, "this needs more memory than the system gave", hint: MemoryShortage.hint)

    private static let fault = Failure(
        .internal, "closer-keys found a mistake of its own and stopped", hint: "please report this")
}

extension LastWords {
    fileprivate init(_ failure: Failure, wantsJSON: Bool) {
        let object: JSONValue = ["error": failure.json]
        self.init(
            code: failure.status.rawValue,
            output: wantsJSON ? String(decoding: object.printableBytes, as: UTF8.self) + "\n" : "",
            errors: Messages.text(of: failure))
    }
}

extension MemoryShortage {
    fileprivate static let hint = "close other programs, or raise the limit: ulimit -v shows it"
}

extension Failure {
    init(_ error: MemoryShortage) { self.init(.limit, error.message, hint: MemoryShortage.hint) }
}
