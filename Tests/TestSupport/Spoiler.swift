import Foundation
import Synchronization

/// Somebody who can write a folder and what is in it, and writes into each temporary file as soon as it has bytes.
public struct Spoiler: Sendable {
    /// What they do with the file.
    public enum Act: Sendable, CaseIterable { case empties, writesOver }

    private let folder: String
    private let act: Act
    private let isOver = Flag()
    private let spoiled = Files()

    private final class Flag: Sendable { let value = Atomic(false) }
    /// By their numbers. They stay open: the number of a file that is gone would be given to another one.
    private final class Files: Sendable { let handles = Mutex<[UInt64: FileHandle]>([:]) }

    public init(in folder: String, _ act: Act) { (self.folder, self.act) = (folder, act) }

    /// Lurks while `body` runs.
    public func lurking<Result>(_ body: () throws -> Result) rethrows -> Result {
        let (begun, done) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let thread = Thread {
            begun.signal()
            while !isOver.value.load(ordering: .acquiring) { spoil() }
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

    /// Whether they wrote into this file while it still had its temporary name.
    public func hasSpoiled(_ path: String) -> Bool {
        guard let number = Self.number(path) else { return false }
        return spoiled.handles.withLock { $0[number] != nil }
    }

    private func spoil() {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        for name in names where name.hasSuffix(".tmp") {
            let path = "\(folder)/\(name)"
            guard let number = Self.number(path), !spoiled.handles.withLock({ $0[number] != nil }),
                let handle = FileHandle(forWritingAtPath: path), (try? handle.seekToEnd()) ?? 0 > 0
            else { continue }
            switch act {
            case .empties: try? handle.truncate(atOffset: 0)
            case .writesOver:
                try? handle.seek(toOffset: 1)
                try? handle.write(contentsOf: [0xff])
            }
            // If the name is gone by now, they may have been too late.
            if Self.number(path) == number { spoiled.handles.withLock { $0[number] = handle } }
        }
    }

    private static func number(_ path: String) -> UInt64? {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        return (attributes?[.systemFileNumber] as? NSNumber)?.uint64Value
    }
}
