import FuzzTargets
import Glibc

private let name = unsafe getenv("FUZZ_TARGET").map { unsafe String(cString: $0) } ?? ""
private let hasPlantedFault = name == "overrun"

/// Which reader, by its name in `FUZZ_TARGET`.
private let target: FuzzTarget = {
    guard let target = FuzzTarget(rawValue: name) else {
        print("FUZZ_TARGET is one of: \(FuzzTarget.allCases.map(\.rawValue).joined(separator: " "))")
        exit(64)
    }
    return target
}()

/// What libFuzzer calls.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = unsafe UnsafeBufferPointer(start: start, count: count)
    if hasPlantedFault {
        unsafe overrun(input)
    } else {
        unsafe target.run(Array(input))
    }
    return 0
}

/// A fault to be found in every run, so that no run is green without its sanitizers.
private func overrun(_ input: UnsafeBufferPointer<UInt8>) {
    guard input.count > 3, let start = input.baseAddress else { return }
    guard unsafe input[0] == UInt8(ascii: "b") else { return }
    guard unsafe input[1] == UInt8(ascii: "u") else { return }
    guard unsafe input[2] == UInt8(ascii: "g") else { return }
    unsafe print(start[input.count])
}
