import CloserKeys
import CloserPrimitives
import CloserVault
import Foundation

/// A device of one of the two: a vault under 32 raw bytes, which the app keeps where it keeps its secrets.
struct Phone {
    let user: UserID
    let path: String
    let rawKey: Data
    let vault: Vault

    init(_ name: String, in folder: TemporaryFolder, model: String = "first phone") throws {
        user = try UserID(parsing: name)
        path = folder.path("\(name), \(model).vault")
        rawKey = Data((0..<32).map { _ in UInt8.random(in: 0...255) })
        vault = try Vault.create(at: path, for: user, locking: .key(SecretBytes(copying: rawKey)))
    }

    var publicKey: PublicKeyToken { get throws { try vault.device.publicKey } }
}

/// A folder that goes with the test.
final class TemporaryFolder: Sendable {
    private let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("consumer-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    func path(_ name: String) -> String { url.appendingPathComponent(name).path }

    deinit { try? FileManager.default.removeItem(at: url) }
}
