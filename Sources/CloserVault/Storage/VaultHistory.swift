internal import CloserWire

/// The states before one state of a vault, the newest first. By them a device tells a state that came of the one that it saw from a
/// state that was made on another branch (closer-keys-formats(7), PRIVATE FORMATS).
struct VaultHistory: Sendable {
    static let maximumCount = 255
    private(set) var states: [State] = []

    /// How often the vault had been changed, and the beginning of ``VaultVersion/digest``.
    struct State: Equatable, Sendable {
        fileprivate static let digestByteCount = 16
        let changeCount: UInt64
        let digest: ArraySlice<UInt8>

        init(_ version: VaultVersion) {
            (changeCount, digest) = (version.changeCount, version.digest.prefix(Self.digestByteCount))
        }
    }

    /// Whether what has this history came of `known`. A history that is full and begins later leaves that open, and counts as yes.
    func follows(_ known: VaultVersion) -> Bool {
        states.contains(State(known))
            || states.count == Self.maximumCount && states.allSatisfy { known.changeCount < $0.changeCount }
    }

    /// This history with newer states in front.
    func behind(_ newer: [VaultVersion]) -> VaultHistory {
        var next = self
        next.states = Array((newer.map(State.init) + states).prefix(Self.maximumCount))
        return next
    }
}

extension VaultHistory {
    /// `u32be(h)`, then of each state `u64be(changes)` and 16 bytes.
    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(bigEndian: UInt32(states.count))
        for state in states { bytes += [UInt8](bigEndian: state.changeCount) + state.digest }
        return bytes
    }

    init(_ fields: inout RecordFields, in bytes: [UInt8]) throws(VaultError) {
        let count = try fields.uint32Fixed(in: bytes)
        guard count <= Self.maximumCount else { throw .damaged }
        for _ in 0..<count { states.append(try State(&fields, in: bytes)) }
    }
}

extension VaultHistory.State {
    fileprivate init(_ fields: inout RecordFields, in bytes: [UInt8]) throws(VaultError) {
        changeCount = UInt64(bigEndian: try fields.fixed(8, in: bytes))
        digest = try fields.fixed(Self.digestByteCount, in: bytes)
    }
}
