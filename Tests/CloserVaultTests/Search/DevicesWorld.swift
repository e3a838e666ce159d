import CloserKeys
import CloserPrimitives
import CloserWire
import TestSupport

@testable import CloserVault

/// One device of the user: two processes with one memory and one copy, and the keys that it was given.
struct WalkedDevice {
    let memory = StandInMemory()
    let copyPath: String
    var processes: [Vault?] = [nil, nil]
    var keys: [UInt8] = [1]
    /// The changes that were told to be made here.
    var acknowledged: Set<String> = []
    /// The change that may be written.
    var open: String?
}

/// The devices of one user, a server that does what it likes, and what each of them knows.
final class DevicesWorld {
    let server: DevicesServer
    let folder: VaultFolder
    var devices: [WalkedDevice]
    var draws: SeededDraws
    let rules = DevicesRules()
    private(set) var stepCount = 0
    private(set) var trail: [String] = []
    private(set) var reached: [String: Int] = [:]
    private var marks = 0
    /// The newest key of the user.
    private var newestKey: UInt8 = 1

    init(devices count: Int, seed: UInt64) throws {
        let folder = try VaultFolder()
        (server, self.folder, draws) = (DevicesServer(devices: count), folder, SeededDraws(seed: seed))
        devices = (0..<count).map { WalkedDevice(copyPath: folder.path("copy \($0)")) }
        let vault = try Vault.create(
            in: storage(0), for: UserID(parsing: "alice"), locking: .testOnlyKeyFile(1))
        try vault.remember(in: devices[0].memory)
        devices[0].processes[0] = vault
        try rules.see(server.states, keys: 1...1)
    }

    private func storage(_ device: Int) -> VaultServerStorage {
        VaultServerStorage(server.door(of: device), copyingTo: devices[device].copyPath)
    }

    /// One step of a device, the user or the server; then the rules.
    func step() throws {
        let device = Int.random(in: devices.indices, using: &draws)
        let move = Move.allCases.randomElement(using: &draws) ?? .change
        stepCount += 1
        let outcome = try take(move, device)
        trail.append("\(move) \(device): \(outcome)")
        reached["\(move): \(outcome)", default: 0] += 1
        try rules.see(server.states, keys: 1...newestKey)
        try rules.check(copyOf: devices[device])
    }

    /// A name with a number is drawn more often.
    enum Move: CaseIterable {
        case change, changeAgain, changeOutrun, changeUnremembered, open, openFresh, refresh, kill
        case loseAnswer, goOffline, fork, fork2, join, join2, join3, renewKey, link, acceptOlder, restore
    }

    private func take(_ move: Move, _ device: Int) throws -> String {
        switch move {
        case .open, .openFresh: return try told { _ = try process(device, isFresh: move == .openFresh) }
        case .kill:
            devices[device].processes[draws.coin] = nil
            return "done"
        case .change: return try change(device)
        case .changeAgain:
            guard let open = devices[device].open else { return "none" }
            return try change(device, open, isAgain: true)
        case .changeOutrun: return try change(device, outrunBy: draws.other(than: device, of: devices.count))
        case .changeUnremembered: return try change(device, remembers: false)
        case .refresh:
            return try told {
                let vault = try process(device)
                try vault.refresh()
                try remember(vault, device)
            }
        case .renewKey: return try renewKey(device)
        case .link:
            let other = draws.other(than: device, of: devices.count)
            devices[device].keys = Set(devices[device].keys + devices[other].keys).sorted()
            return "done"
        case .acceptOlder: return try acceptOlder(device)
        case .restore: return try told { try storage(device).restore(replacing: true) }
        default:
            move.harm(server, device, &draws)
            return "done"
        }
    }

    // MARK: - A device

    /// A process of the device that has the vault open, or opens it now and remembers it.
    private func process(_ device: Int, isFresh: Bool = false) throws -> Vault {
        let place = draws.coin
        if !isFresh, let vault = devices[device].processes[place] { return vault }
        let storage = storage(device)
        if draws.coin == 1 { try? storage.refresh() }
        let vault = try open(storage, devices[device].keys)
        try remember(vault, device)
        devices[device].processes[place] = vault
        return vault
    }

    private func open(_ storage: VaultServerStorage, _ keys: [UInt8]) throws -> Vault {
        let locked = try LockedVault(in: storage)
        let key = keys.reversed().first { locked.opens(with: .testOnlyKeyFile($0)) }
        return try locked.unlock(with: .testOnlyKeyFile(key ?? 1))
    }

    /// What the device does before it shows a result.
    private func remember(_ vault: Vault, _ device: Int) throws {
        let former = devices[device].memory.versions.last
        try vault.remember(in: devices[device].memory)
        try rules.see(server.states, keys: 1...newestKey)
        let marks = try vault.marks
        if rules.check(vault.version, after: former, marks, has: devices[device].acknowledged) {
            devices[device].acknowledged = marks
        }
    }

    private func change(
        _ device: Int, _ known: String? = nil, isAgain: Bool = false, outrunBy other: Int? = nil,
        remembers: Bool = true
    ) throws -> String {
        marks += 1
        let mark = known ?? "mark_\(marks)"
        var other = other
        return try told {
            let vault = try process(device)
            do {
                try vault.change { (transaction) throws(VaultError) in
                    if let faster = other { outrun(faster) }
                    other = nil
                    try rules.put(mark, in: &transaction, isAgain: isAgain)
                }
            } catch {
                if case VaultError.mayBeWritten = error { devices[device].open = mark }
                throw error
            }
            guard remembers else {
                return devices[device].processes = devices[device].processes.map { $0 === vault ? nil : $0 }
            }
            try remember(vault, device)
            devices[device].acknowledged.insert(mark)
            if isAgain { devices[device].open = nil }
        }
    }

    /// A change of another device, while one is made here.
    private func outrun(_ device: Int) { _ = try? change(device) }

    private func renewKey(_ device: Int) throws -> String {
        try told {
            let vault = try process(device)
            newestKey += 1
            // It is kept before the change.
            devices[device].keys.append(newestKey)
            try vault.changeCredential(to: .testOnlyKeyFile(newestKey), newVaultKey: true)
            try rules.see(server.states, keys: 1...newestKey, isRenewed: true)
            try remember(vault, device)
        }
    }

    /// A person takes what the server shows, and gives up what this device saw.
    private func acceptOlder(_ device: Int) throws -> String {
        try told {
            let storage = storage(device)
            try storage.refresh()
            let vault = try open(storage, devices[device].keys)
            try devices[device].memory.exchange { known in
                if let known { rules.mayGiveUp(known) }
                try vault.acceptAsNewest(after: known ?? vault.version)
                try rules.see(server.states, keys: 1...newestKey)
                return try vault.newest(after: nil)
            }
            devices[device].acknowledged = try vault.marks
            devices[device].processes = [vault, nil]
        }
    }

    /// How it ended.
    private func told(_ body: () throws -> Void) throws -> String {
        do {
            try body()
            return "done"
        } catch let error as VaultError {
            return Mirror(reflecting: error).children.first?.label ?? error.words.id.rawValue
        }
    }
}

extension DevicesWorld.Move {
    /// What the server does.
    fileprivate func harm(_ server: DevicesServer, _ device: Int, _ draws: inout SeededDraws) {
        server.content.withLock { content in
            switch self {
            case .loseAnswer:
                content.fates = (0...draws.coin * 4).map { _ in
                    StandInServer.Fate.allCases.randomElement(using: &draws) ?? .lost
                }
            case .goOffline: content.isReached.toggle()
            case .fork, .fork2:
                content.branches.append(Int.random(in: content.states.indices, using: &draws))
                content.shown[device] = content.branches.count - 1
            default:
                content.isReached = true
                content.shown[device] = content.shown[draws.other(than: device, of: content.shown.count)]
            }
        }
    }
}

extension SeededDraws {
    fileprivate var coin: Int { mutating get { Int(next() & 1) } }

    fileprivate mutating func other(than one: Int, of count: Int) -> Int {
        (one + 1 + Int(next() % UInt64(count - 1))) % count
    }
}
