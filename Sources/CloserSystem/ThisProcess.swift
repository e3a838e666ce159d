internal import CCloserSystem

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

// What this process was given, what it denies to others, and how it ends.

/// The arguments of this process.
package enum ProcessArguments {
    /// Without the program's name; nil if one of them is not UTF-8. `CommandLine.arguments` would repair it, and
    /// two different contexts would become one.
    package static var all: [String]? {
        let count = Int(CommandLine.argc)
        let texts = (0..<count).map { index in
            unsafe CommandLine.unsafeArgv[index].flatMap { unsafe String(validatingCString: $0) }
        }
        return texts.contains(nil) ? nil : Array(texts.compactMap(\.self).dropFirst())
    }
}

/// What the process was given besides its arguments.
package enum Surroundings {
    /// The value of an environment variable; nil if it is not set, empty or not UTF-8.
    package static func variable(_ name: String) -> String? {
        let value = unsafe getenv(name).flatMap { unsafe String(validatingCString: $0) }
        return value?.isEmpty == false ? value : nil
    }
}

/// What the process denies to others, and how it ends when it is told to.
package enum ProcessLimits {
    /// Allows no core dump, and no ptrace by other processes of this user. False if the system refuses.
    @discardableResult
    package static func denyDumps() -> Bool { closer_deny_dumps() }

    /// Makes a closed pipe an error. An interrupt then removes temporary files and exits with 128 + its number.
    package static func installSignals() { closer_install_signals() }
}

/// Ends the process with an exit code.
package enum ProcessEnd {
    package static func exit(_ code: Int32) -> Never {
        #if canImport(Glibc)
            Glibc.exit(code)
        #else
            Darwin.exit(code)
        #endif
    }
}
