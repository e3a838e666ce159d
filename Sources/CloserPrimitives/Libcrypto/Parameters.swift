internal import CCloserLibcrypto

/// The settings of one call, as libcrypto wants them: an array of `OSSL_PARAM` that ends with an empty one.
///
/// The names are static texts and the values belong to the caller: both must outlive the call.
@unsafe struct Parameters {
    private var list: [OSSL_PARAM] = unsafe []

    mutating func add(_ name: StaticString, _ text: StaticString) {
        unsafe list.append(OSSL_PARAM_construct_utf8_string(characters(name), characters(text), 0))
    }

    mutating func add(_ name: StaticString, _ bytes: UnsafePointer<UInt8>, _ count: Int) {
        let value = unsafe UnsafeMutableRawPointer(mutating: bytes)  // C only reads it
        unsafe list.append(OSSL_PARAM_construct_octet_string(characters(name), value, count))
    }

    func withList<Result>(_ body: (UnsafePointer<OSSL_PARAM>?) -> Result) -> Result {
        unsafe (list + [OSSL_PARAM_construct_end()]).withUnsafeBufferPointer { unsafe body($0.baseAddress) }
    }

    private func characters(_ text: StaticString) -> UnsafeMutablePointer<CChar> {
        let bytes = unsafe UnsafeMutableRawPointer(mutating: text.utf8Start)
        return unsafe bytes.assumingMemoryBound(to: CChar.self)
    }
}
