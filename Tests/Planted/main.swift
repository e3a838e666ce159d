import CPlanted
import CloserPrimitives
import Glibc

// Run by `make check-sanitize`: one fault, by its name, or none. Who built this with a sanitizer must be told of it.

private let guarded = Lock([0])
nonisolated(unsafe) private var unguarded = 0

private func overrun(_ count: Int) -> UInt8 {
    let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: count)
    unsafe bytes.initialize(repeating: 1, count: count)
    defer { unsafe bytes.deallocate() }
    return unsafe bytes[count]
}

private func useAfterFree() -> UInt8 {
    let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: 16)
    unsafe bytes.initialize(repeating: 1, count: 16)
    unsafe bytes.deallocate()
    return unsafe bytes[8]
}

// As many threads as in a test.
private func race() {
    planted_in_two_threads {
        for _ in 0..<1000 { unsafe unguarded += 1 }
    }
}

private func lock() {
    planted_in_two_threads {
        for count in 0..<1000 { guarded.withLock { $0.append(count) } }
    }
}

let one = CInt(CommandLine.arguments.count - 1)
switch CommandLine.arguments.last {
case "overrun": print(overrun(16))
case "overrun-in-c": print(planted_overrun_in_c(16))
case "use-after-free": print(useAfterFree())
case "leak": for _ in 0..<100 { planted_leak(16) }
case "overflow": print(planted_overflow(one))
case "race": race()
case "race-in-c": print(planted_race_in_c())
case "nothing": lock()
default: exit(64)
}
