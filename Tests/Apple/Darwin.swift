// swift-format-ignore-file
// What Apple's overlay adds to its C, with its names. scripts/apple.py compiles it over SDK.h.
@_exported public import Darwin

public var errno: Int32 {
    get { unsafe __error().pointee }
    set { unsafe __error().pointee = newValue }
}
public var MAP_FAILED: UnsafeMutableRawPointer! { unsafe UnsafeMutableRawPointer(bitPattern: -1) }
