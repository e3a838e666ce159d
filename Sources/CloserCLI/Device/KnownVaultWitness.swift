internal import CloserFiles
internal import CloserVault
internal import Synchronization

// What this machine remembers of a vault while a run reads and changes it.

/// What the file is to this machine while a run has it open.
final class WitnessedStanding: Sendable {
    enum Standing {
        /// With `--accept-older`, which is not compared with anything; and a copy at another place stays that, however often it is
        /// read.
        case unknown
        /// It is the vault if it is no older than what is remembered. Nothing of it is remembered yet, since something is told first.
        case compared
        /// What it was and becomes is remembered as the vault's.
        case remembered
    }

    private let current: Mutex<Standing>

    init(_ standing: Standing) { current = Mutex(standing) }

    var isCompared: Bool { current.withLock { $0 != .unknown } }
    var isRemembered: Bool { current.withLock { $0 == .remembered } }

    func become(_ standing: Standing) { current.withLock { $0 = standing } }
}

/// The turns of a run at a vault. One may last over several looks and changes.
final class MachineTurns: Sendable {
    private let id: VaultID
    private let held = Mutex<VaultTurn?>(nil)
    private let hasWarned = Mutex(false)

    init(at id: VaultID) { self.id = id }

    /// The one that is held, or a new one. Where there can be none, as on a full disk, a vault can still be read.
    func next(_ purpose: VaultTurn.Purpose) throws(VaultError) -> VaultTurn? {
        if let turn = held.withLock({ $0 }) { return turn }
        do { return try VaultMemories.ours?.turn(at: id) } catch {
            guard purpose == .reading, case .cannotWrite(let path, let reason) = error else { throw error }
            warn(path, reason)
            return nil
        }
    }

    private func warn(_ path: String, _ reason: String) {
        guard
            hasWarned.withLock({
                let had = $0; $0 = true; return !had
            })
        else { return }
        Messages.warn(
            "no turn can be taken at the vault (\(path): \(reason.uncapitalized)): what is read may be a change that another command gives up"
        )
    }

    /// Runs `body` in one turn.
    func holding<Result>(_ body: () throws -> Result) throws -> Result {
        let turn = try next(.reading)
        held.withLock { $0 = turn }
        defer { held.withLock { $0 = nil } }
        return try body()
    }
}

extension KnownVault {
    /// Asks this machine's memory before each look at the file, and tells it of each state that is read or made.
    func witness(
        _ standing: WitnessedStanding, _ lock: LockNote, _ turns: MachineTurns, isKeyFile: Bool
    ) -> VaultWitness {
        let (ours, id) = (VaultMemories.ours, locked.id)
        return VaultWitness(
            known: { () throws(VaultError) in
                standing.isCompared ? try ours?.memory(of: id)?.version : nil
            },
            saw: { version in
                guard standing.isRemembered else { return }
                do { try ours?.see(version) } catch { Self.warn(unremembered: error, isKeyFile: isKeyFile) }
            },
            // Before it is written: somebody could put it in the vault's place, or back there once this run has ended.
            prepares: { version in
                guard !standing.isRemembered else { return }
                do { try ours?.giveUp(version) } catch {
                    Self.warn(unremembered: error, isKeyFile: isKeyFile)
                }
            },
            note: { (version, base) throws(VaultError) in
                // The same state anew: a change was given up.
                if version.digest != base.digest { VaultDeed.changed.note() }
                do throws(VaultError) {
                    guard standing.isRemembered else { return }
                    try ours?.see(version, over: base, lock.value)
                } catch {
                    if case .diverged = error { throw error }
                    Self.warn(unremembered: error, isKeyFile: isKeyFile)
                }
            }, turn: { (purpose) throws(VaultError) in try turns.next(purpose) })
    }
}
