import CloserKeys
import CloserPrimitives
import Testing

@testable import CloserVault

/// What must hold of the devices of a user, whatever their server does. It has its own account of which state came of which.
final class DevicesRules {
    private struct Known {
        let digest: [UInt8]
        /// The digests of all states that it was changed from, one after the other.
        let ancestors: Set<[UInt8]>
        /// The digests of the states that a person gave up for it, or for one of those.
        let givenUp: Set<[UInt8]>
        /// The key that opens it.
        let key: UInt8?
        /// The keys that opened a state before a new vault key.
        let former: Set<UInt8>
    }

    private var known: [Known] = []
    private(set) var faults: [String] = []
    /// What a person was ready to give up. Of each try, a request may arrive later.
    private var mayBeGivenUp: [VaultVersion] = []

    private func expect(_ holds: Bool, _ fault: String) {
        if !holds, !faults.contains(fault) { faults.append(fault) }
    }

    /// Takes note of the states that were stored since.
    func see(
        _ states: [DevicesServer.State], keys: ClosedRange<UInt8>,
        isRenewed: Bool = false
    ) throws {
        for state in states.dropFirst(known.count) {
            let file = try VaultFile(state.bytes, path: "")
            let digest = SHA256.hash(file.head.span)
            // A copy that was put back.
            if let former = known.first(where: { $0.digest == digest }) {
                known.append(former)
                continue
            }
            let parent = state.parent.map { known[$0] }
            let key = keys.reversed().first { (try? file.slot.unlock(with: .testOnlyKeyFile($0))) != nil }
            var former = parent?.former ?? []
            if let before = parent?.key, before != key { former.insert(before) }
            known.append(
                Known(
                    digest: digest,
                    ancestors: (parent?.ancestors ?? []).union(parent.map { [$0.digest] } ?? []),
                    givenUp: (parent?.givenUp ?? []).union(try givenUp(in: file, key)), key: key,
                    former: former))
            expect(
                key.map { !former.contains($0) } ?? false, "a former key opens a later state, or none does")
        }
    }

    func mayGiveUp(_ version: VaultVersion) { mayBeGivenUp.append(version) }

    private func givenUp(in file: VaultFile, _ key: UInt8?) throws -> [[UInt8]] {
        guard let key, !mayBeGivenUp.isEmpty else { return [] }
        let history = try file.index(file.slot.unlock(with: .testOnlyKeyFile(key))).history.states
        return mayBeGivenUp.filter { history.contains(VaultHistory.State($0)) }.map(\.digest)
    }

    /// No state is taken that did not come of the one that was remembered, and no change is lost that was acknowledged, unless a person
    /// gave up the state that has it. Returns whether a person did.
    func check(
        _ version: VaultVersion, after former: VaultVersion?, _ marks: Set<String>,
        has acknowledged: Set<String>
    ) -> Bool {
        guard let former, let state = known.first(where: { $0.digest == version.digest }) else {
            return false
        }
        let isChanged = state.digest == former.digest || state.ancestors.contains(former.digest)
        let isGivenUp = !isChanged && state.givenUp.contains(former.digest)
        expect(
            isChanged || isGivenUp, "a state is taken that did not come of the one that was remembered")
        expect(isGivenUp || acknowledged.isSubset(of: marks), "a change is lost that was acknowledged")
        return isGivenUp
    }

    /// A copy opens, and is the state that is remembered or came of it.
    func check(copyOf device: WalkedDevice) throws {
        let copy: [UInt8]
        do { copy = try VaultFileStorage(device.copyPath).read() } catch { return }
        let state = try? known.first { $0.digest == SHA256.hash(try VaultFile(copy, path: "").head.span) }
        expect(
            state?.key.map(device.keys.contains) ?? false, "a copy does not open with a key of its device")
        guard let remembered = device.memory.versions.last?.digest else { return }
        expect(
            state.map { $0.digest == remembered || $0.ancestors.union($0.givenUp).contains(remembered) }
                ?? false,
            "a copy is another state than the one that is remembered")
    }

    /// No change is made twice.
    func put(_ mark: String, in transaction: inout Transaction, isAgain: Bool) throws(VaultError) {
        guard let name = try? CoupleID(parsing: mark) else { throw .damaged }
        let isThere = try transaction.record(VersionPin.self, VersionPin.id(name)) != nil
        expect(!isThere || isAgain, "a change runs again on its own success")
        if !isThere { transaction.put(VersionPin(.strict, of: name)) }
    }
}

extension Vault {
    /// The changes of a walk that are in it.
    var marks: Set<String> {
        get throws(VaultError) {
            try read { (transaction) throws(VaultError) in
                Set(try transaction.records(VersionPin.self).map(\.couple.text))
            }
        }
    }
}
