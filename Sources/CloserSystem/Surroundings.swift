#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// What the process was given besides its arguments.
package enum Surroundings {
    /// The value of an environment variable; nil if it is not set, empty or not UTF-8.
    package static func variable(_ name: String) -> String? {
        let value = unsafe getenv(name).flatMap { unsafe String(validatingCString: $0) }
        return value?.isEmpty == false ? value : nil
    }
}
