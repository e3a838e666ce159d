internal import CloserFiles
internal import CloserKeys
internal import CloserPrimitives
internal import CloserSystem
internal import CloserWire

/// Ends a run from any depth of calls, with a message and an exit code.
enum Exit {
    /// Must come before anything that takes memory for a secret.
    static func install() {
        ProcessLimits.installSignals()
        prepareLastWords()
        MemoryShortage.endsProcess { shortage in
            end(with: VaultDeed.told(with: CLIError(shortage)), wantsJSON: wantsJSON)
        }
    }

    private static let wantsJSON = ProcessArguments.have("--json")

    /// Prepares the message for exhausted memory. Called again after each change of the vault, which the message tells.
    static func prepareLastWords() {
        ProcessEnd.speakLast(
            ofShortage: ExitMessage(VaultDeed.told(with: noMemory), wantsJSON: wantsJSON),
            ofFault: ExitMessage(VaultDeed.told(with: fault), wantsJSON: wantsJSON))
    }

    /// At once, from any thread.
    static func end(with failure: CLIError, wantsJSON: Bool = false) -> Never {
        let words = ExitMessage(failure, wantsJSON: wantsJSON)
        if !words.output.isEmpty { try? Descriptor.standardOutput.write(Array(words.output.utf8).span) }
        Diagnostics.failure(failure)
        ProcessEnd.now(failure.status.rawValue)
    }

    /// Sets what the program says if a signal ends it.
    static func say(_ interruption: Interruption?) {
        ProcessEnd.speakIfInterrupted(interruption.map { Diagnostics.text($0.message, hint: $0.hint) })
    }

    /// At once, from any thread, for any error.
    static func end(because error: any Error) -> Never {
        endSilently(after: error)
        end(with: CLIError(error).withoutSecretArguments)
    }

    /// Ends the run like any other tool if the reader of what it writes has gone. What was done to a vault before is worth a message.
    static func endSilently(after error: any Error) {
        guard let error = error as? FileError, error.isClosedPipe, VaultDeed.isNone else { return }
        ProcessEnd.forClosedPipe()
    }

    private static let noMemory = CLIError(
        .limit, "this needs more memory than the system gave",
        hint: MemoryShortage(.secret, byteCount: 0).words.hint)

    private static let fault = CLIError(
        .internal, "closer-keys found a mistake of its own and stopped", hint: "please report this")
}

/// What a person is told who stops the program after it made a change: what was made, and what to type next.
struct Interruption {
    let message: String
    let hint: String
}

extension ExitMessage {
    fileprivate init(_ failure: CLIError, wantsJSON: Bool) {
        let object: JSONValue = ["error": failure.json]
        self.init(
            code: failure.status.rawValue,
            output: wantsJSON ? String(decoding: object.printableBytes, as: UTF8.self) + "\n" : "",
            errors: Diagnostics.text(of: failure))
    }
}
