import Testing

@testable import CloserPrimitives

@Suite("Bytes that a C library writes")
struct BytesForCTests {
    @Test("what it wrote before it failed is wiped, and what stood before that stays")
    func failed() {
        var left: [UInt8] = []
        let bytes = [UInt8](capacity: 8) { output in
            output.append(1)
            output.append(2)
            var place: UnsafeMutablePointer<UInt8>?
            let isWritten = unsafe output.tryAppend(4) { target in
                unsafe target.update(repeating: 9, count: 4)
                unsafe place = target
                return false
            }
            #expect(!isWritten)
            if let place = unsafe place { left = unsafe Array(UnsafeBufferPointer(start: place, count: 4)) }
        }
        #expect(bytes == [1, 2] && left == [0, 0, 0, 0])
    }
}
