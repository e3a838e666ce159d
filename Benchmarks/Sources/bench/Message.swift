/// What all of them seal: the plaintext, and what it is tied to.
struct Message {
    let plaintext: [UInt8]
    let associatedData: [UInt8]

    /// A field of a couple: 64 bytes.
    static let field = Message(
        plaintext: Array("He said the river path at dusk, and that you would bring the dog".utf8),
        associatedData: Array("couple-7Qm2VbXh1L".utf8))

    /// A piece of a file: 1 MiB.
    static let piece = Message(
        plaintext: Array(repeating: 7, count: 1 << 20),
        associatedData: field.associatedData)

    /// The content of a keybox: 32 bytes, as a raw one-time key.
    static let key = Message(
        plaintext: Array(repeating: 7, count: 32),
        associatedData: Array("couple-7Qm2VbXh1L|q-2026-03-14|user-Ana93|user-Ben27".utf8))
}
