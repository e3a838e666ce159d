import Foundation
import Synchronization

/// Somebody who can write a folder, and takes the first temporary file away that appears there, or copies it.
public struct Thief: Sendable {
    private let folder: String
    private let loot: String
    private let copies: Bool
    private let then: @Sendable () -> Void
    private let isOver = Flag()

    private final class Flag: Sendable { let value = Atomic(false) }

    /// `loot` is what they call the file from then on, and `then` is what they do once they have it. Who `copies` it leaves it there.
    public init(
        in folder: String, taking loot: String, copies: Bool = false,
        then: @escaping @Sendable () -> Void = {}
    ) { (self.folder, self.loot, self.copies, self.then) = (folder, loot, copies, then) }

    /// Lurks while `body` runs. They may be too late, or the system too busy: whether they took it shows in what happened.
    public func lurking<Result>(_ body: () throws -> Result) rethrows -> Result {
        let (begun, done) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let thread = Thread {
            begun.signal()
            while !isOver.value.load(ordering: .acquiring), !take() {}
            done.signal()
        }
        thread.start()
        begun.wait()
        defer {
            isOver.value.store(true, ordering: .releasing)
            done.wait()
        }
        return try body()
    }

    private func take() -> Bool {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder),
            let name = names.first(where: { $0.hasSuffix(".tmp") })
        else { return false }
        guard copies ? copy("\(folder)/\(name)") : unsafe rename("\(folder)/\(name)", loot) == 0 else {
            return false
        }
        then()
        return true
    }

    /// It is written at once, so whoever sees anything in it sees all.
    private func copy(_ path: String) -> Bool {
        guard let bytes = FileManager.default.contents(atPath: path), !bytes.isEmpty else { return false }
        return FileManager.default.createFile(atPath: loot, contents: bytes)
    }
}
