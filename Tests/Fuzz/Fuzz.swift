import FuzzTargets
import Glibc

/// Which reader, by its name in `FUZZ_TARGET`.
private let target: FuzzTarget = {
    guard let name = unsafe getenv("FUZZ_TARGET"),
        let target = unsafe FuzzTarget(rawValue: String(cString: name))
    else {
        print("FUZZ_TARGET is one of: \(FuzzTarget.allCases.map(\.rawValue).joined(separator: " "))")
        exit(64)
    }
    return target
}()

/// What libFuzzer calls.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    unsafe target.run(Array(UnsafeBufferPointer(start: start, count: count)))
    return 0
}
