internal import CCloserVectors

/// The vector files that the program carries in itself, byte for byte as they are in `vectors/v1`.
///
/// The only file above CloserSystem that speaks C: it copies each file once, and hands out arrays.
enum EmbeddedFiles {
    typealias File = (name: String, bytes: [UInt8])

    /// The index of the others.
    static let indexName = "index.json"

    /// All of them, the index too.
    static var all: [File] {
        (0..<closer_vectors_count()).map { file in
            let bytes = unsafe UnsafeBufferPointer(
                start: closer_vectors_bytes(file), count: closer_vectors_byte_count(file))
            return (unsafe String(cString: closer_vectors_name(file)), unsafe Array(bytes))
        }
    }
}
