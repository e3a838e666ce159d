/// A reader that takes whatever a stranger sends.
///
/// `run` stops the process if something that was read is not the same when it is written and read again. That a reader
/// throws is right; that it traps, leaks or reads beyond its bytes is what a fuzzer looks for.
package enum FuzzTarget: String, CaseIterable, Sendable {
    case json, base64, keysetBinary, keysetJSON, aead, ecies, stream, tokens, documents, chats, people,
        vectorFiles, vaultFiles, vaultDirectories, vaultRecords, exports, lines, pairings, chunks

    package func run(_ bytes: [UInt8]) {
        switch self {
        case .json: Texts.json(bytes)
        case .base64: Texts.base64(bytes)
        case .keysetBinary: Keysets.binary(bytes)
        case .keysetJSON: Keysets.json(bytes)
        case .aead: Boxes.aead(bytes)
        case .ecies: Boxes.ecies(bytes)
        case .stream: Boxes.stream(bytes)
        case .tokens: Domain.tokens(bytes)
        case .documents: Domain.documents(bytes)
        case .chats: Domain.chats(bytes)
        case .people: Domain.people(bytes)
        case .vectorFiles: VectorFiles.read(bytes)
        case .vaultFiles: Vaults.file(bytes)
        case .vaultDirectories: Vaults.index(bytes)
        case .vaultRecords: Vaults.record(bytes)
        case .exports: Exports.read(bytes)
        case .lines: Lines.read(bytes)
        case .pairings: Pairings.walk(bytes)
        case .chunks: Chunks.read(bytes)
        }
    }
}
