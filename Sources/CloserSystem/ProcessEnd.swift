#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

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
