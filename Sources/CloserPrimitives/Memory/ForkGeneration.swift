#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Android)
internal import Android
#else
internal import Darwin
#endif

/// Tells a process from those that it was forked from: by its number, and by how many forks lead to it.
///
/// The number alone is too little: the system gives it again once its process has ended, perhaps to a grandchild of that one. The
/// count alone is too little, too: it misses a fork that a program makes by a system call of its own.
struct ForkGeneration: Equatable {
    let processNumber: pid_t
    let forkCount: UInt64

    private static let forks = Counter()
    /// From the first time on that it is asked for.
    private static let isCounting: Bool =
        pthread_atfork(nil, nil) { ForkGeneration.forks.add(1) } == 0

    init(processNumber: pid_t = getpid()) {
        precondition(Self.isCounting, "the system has no memory left to count forks")
        self.processNumber = processNumber
        forkCount = Self.forks.value
    }
}
