internal import CCloserSystem

// What this process was given, what it denies to others, and how it ends.

package enum ProcessArguments {
    /// What follows the program's name; nil if the system lacks them, or one of them is invalid UTF-8. `CommandLine.arguments` would repair the
    /// one, so that two different contexts would become one, and takes the other for none.
    package static let all: [String]? =
        texts.isEmpty || texts.contains(nil) ? nil : Array(texts.compactMap(\.self).dropFirst())

    /// The program's name and all arguments; nil for one that is invalid UTF-8. Empty if the system lacks them.
    package static let texts: [String?] = {
        var count: Int32 = 0
        guard let given = unsafe closer_arguments(&count), count > 0 else { return swifts }
        return (0..<Int(count)).map { index in
            unsafe given[index].flatMap { unsafe String(validatingCString: $0) }
        }
    }()

    /// The arguments that Swift finds.
    private static var swifts: [String?] {
        (0..<Int(CommandLine.argc)).map { index in
            unsafe CommandLine.unsafeArgv[index].flatMap { unsafe String(validatingCString: $0) }
        }
    }
}

/// What the process was given besides its arguments.
package enum Environment {
    /// The value of an environment variable; nil if it is not set, empty or not UTF-8.
    package static func variable(_ name: String) -> String? {
        let value = unsafe getenv(name).flatMap { unsafe String(validatingCString: $0) }
        return value?.isEmpty == false ? value : nil
    }

    /// Whether the variable is set to a text.
    package static func isSet(_ name: String) -> Bool {
        unsafe getenv(name).map { unsafe $0.pointee != 0 } ?? false
    }

    /// Makes a variable that holds a smaller number hold `least`. One that is not set, or holds no number, stays.
    package static func raise(_ name: String, toAtLeast least: Int) {
        guard let number = variable(name).flatMap({ Int($0) }), number < least else { return }
        unsafe setenv(name, "\(least)", 1)
    }
}

/// What the process denies to others and is denied, and how it ends when it is told to.
package enum ProcessLimits {
    /// Forbids core dumps, and ptrace by other processes of this user. False if the system refuses.
    @discardableResult
    package static func denyDumps() -> Bool { closer_deny_dumps() }

    /// Whether this process may have less memory than the system has.
    package static var isMemoryLimited: Bool { closer_memory_is_limited() }

    /// Makes a closed pipe an error, so that it is known which one it is. An interrupt then removes temporary files and exits with 128 + its number.
    package static func installSignals() { closer_install_signals() }
}

/// What the process says when it cannot go on.
package struct ExitMessage {
    package let code: Int32
    package let output: String
    package let errors: String

    /// Both texts as they are written, with their newlines.
    package init(code: Int32, output: String, errors: String) {
        (self.code, self.output, self.errors) = (code, output, errors)
    }
}

/// The descriptors 0 to 2.
package enum StandardDescriptors {
    /// Opens `/dev/null` on those that are closed. Otherwise a file that is opened later would become standard input or
    /// output. To read or write there is an error, as it was. False if there is no `/dev/null`.
    package static func fill() -> Bool { closer_fill_standard_descriptors() }
}

package enum ProcessEnd {
    /// Ends it at once, from any depth: owners are skipped, but temporary files go and the terminal is given back.
    package static func now(_ code: Int32) -> Never {
        closer_end(code)
        exit(code)
    }

    /// Ends it at once as SIGPIPE would: the reader of our output has seen enough.
    package static func forClosedPipe() -> Never { now(128 + SIGPIPE) }

    /// Runs `write`, and lets a signal that ends the process wait until it is done: a second at most, and a second signal does not
    /// wait. One thread at a time.
    package static func waiting<Failure: Error>(for write: () throws(Failure) -> Void) throws(Failure) {
        closer_begin_whole()
        defer { closer_end_whole() }
        try write()
    }

    /// What standard error is told if a signal ends the process, with its newline; nil for nothing.
    package static func speakIfInterrupted(_ words: String?) {
        guard let words else { return closer_say_if_interrupted(nil) }
        unsafe words.withCString { unsafe closer_say_if_interrupted($0) }
    }

    /// Makes every fault end the process in the same way, with these words: `shortage` if no memory is left.
    package static func speakLast(ofShortage shortage: ExitMessage, ofFault fault: ExitMessage) {
        unsafe shortage.withC { shortage in
            unsafe fault.withC { fault in unsafe closer_install_last_words(shortage, fault) }
        }
    }

    package static func exit(_ code: Int32) -> Never { closer_exit(code) }
}

extension ExitMessage {
    @unsafe fileprivate func withC(_ body: (closer_last_words) -> Void) {
        unsafe output.withCString { output in
            unsafe errors.withCString { errors in
                unsafe body(closer_last_words(code: code, output: output, errors: errors))
            }
        }
    }
}
