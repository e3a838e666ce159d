internal import CCloserVectors

/// The vector files that the program carries in itself, byte for byte as they are in `vectors/v1`.
///
/// The one place above CloserSystem that speaks C: the functions take and give numbers, so nothing here is unsafe.
enum EmbeddedFiles {
    /// A name and what is in it.
    typealias File = (name: String, bytes: [UInt8])

    /// The index of the others.
    static let indexName = "index.json"

    /// All of them, the index too.
    static var all: [File] { (0..<closer_vectors_count()).map { (name(of: $0), bytes(of: $0)) } }

    private static func name(of file: Int) -> String {
        var bytes: [UInt8] = []
        while true {
            let byte = closer_vectors_name_byte(file, bytes.count)
            guard byte != 0 else { return String(decoding: bytes, as: UTF8.self) }
            bytes.append(byte)
        }
    }

    private static func bytes(of file: Int) -> [UInt8] {
        let count = closer_vectors_byte_count(file)
        return [UInt8](capacity: count) { output in
            for index in 0..<count { output.append(closer_vectors_byte(file, index)) }
        }
    }
}
