internal import ArgumentParser
internal import CloserPrimitives
internal import CloserSystem
internal import CloserVault
internal import CloserWire

// A vault with a passphrase that scripts use for a while without it.

extension DeviceCommand {
    struct Unlock: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "unlock",
            abstract: "Let commands open the vault without its passphrase for a while.",
            discussion: """
                A key for that goes into the kernel's memory, where every process of this login can read it until its time is over. \
                Linux alone has such a memory.
                """)

        @Option(
            name: .customLong("for"),
            help: ArgumentHelp("How long: seconds, minutes or hours, up to 24h.", valueName: "time"))
        var time = UnlockTime.standard
        @Flag(help: "For all that this user runs, in whatever login, and not for this login alone.")
        var forUser = false
        @OptionGroup var vault: VaultOptions
        @OptionGroup var output: OutputOptions

        func run() throws {
            var inputs = try Inputs([vault.inputName])
            let opened = try vault.open(&inputs, asksAnew: true)
            guard try opened.protection != .keyFile else {
                throw Failure(.usage, "this vault is locked with a key file, and needs no passphrase")
            }
            let result = try Sink(output, .line, inputs: inputs)
            let reach = forUser ? Keyring.Reach.user : .login
            try UnlockedKey.keep(opened, for: reach, time)
            do {
                try result.report(
                    "unlocked for \(time), for \(forUser ? "all that this user runs" : "this login")",
                    json: ["unlocked": .string(reach.name), "seconds": .number(Double(time.seconds))])
            } catch {
                try UnlockedKey.drop(of: opened.id)
                throw error
            }
        }
    }

    struct Lock: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "lock", abstract: "Take back what device unlock allowed. Needs no passphrase.")

        @OptionGroup var vault: VaultOptions
        @OptionGroup var output: OutputOptions

        func run() throws {
            var inputs = Inputs()
            let path = try vault.path
            let vaults = try KnownVault.ids(at: path)
            inputs.claim(Vault.files(at: path))
            let result = try Sink(output, .line, inputs: inputs)
            let dropped = try vaults.filter { try UnlockedKey.drop(of: $0) }
            try result.report(
                dropped.isEmpty ? "it was not unlocked" : "locked",
                json: ["wasUnlocked": .bool(!dropped.isEmpty)])
        }
    }
}

/// How long a vault stays unlocked.
struct UnlockTime: ExpressibleByArgument, CustomStringConvertible {
    let description: String
    let seconds: UInt32

    static let standard = UnlockTime(description: "15m", seconds: 900)
    private static let most: UInt32 = 24 * 60 * 60
    private static let units: [(name: String, seconds: UInt32)] = [("s", 1), ("m", 60), ("h", 3600)]

    private init(description: String, seconds: UInt32) {
        (self.description, self.seconds) = (description, seconds)
    }

    /// Digits and a unit, as in `90s`, `15m` or `2h`.
    init?(argument: String) {
        guard let unit = Self.units.first(where: { argument.hasSuffix($0.name) }),
            let count = UInt32(argument.dropLast()), argument.utf8.first != UInt8(ascii: "+"),
            (1...Self.most / unit.seconds).contains(count)
        else { return nil }
        self.init(description: argument, seconds: count * unit.seconds)
    }
}

/// A vault's key between `device unlock` and `device lock`: sealed where this machine remembers its vaults, under a key that the
/// kernel has for a while.
struct UnlockedKey: ~Copyable {
    private let unlocking: Unlocking
    let reach: Keyring.Reach

    /// What is there of this vault; nil if it is locked.
    static func find(of vault: VaultID) -> UnlockedKey? {
        guard let box = VaultMemories.ours?.sealedKey(of: vault) else { return nil }
        for reach in Keyring.Reach.allCases {
            guard let unlocking = unlocking(box, of: vault, reach) else { continue }
            return UnlockedKey(unlocking: unlocking, reach: reach)
        }
        return nil
    }

    private static func unlocking(_ box: [UInt8], of vault: VaultID, _ reach: Keyring.Reach) -> Unlocking? {
        var isThere = false
        let key = SecretBytes(capacity: 32) {
            isThere = Keyring.read(name(of: vault), 32, for: reach, into: &$0)
        }
        return isThere ? .sealedKey(box, under: key, of: vault) : nil
    }

    consuming func takeUnlocking() -> Unlocking { unlocking }

    /// Keeps the key until the time is over.
    static func keep(_ vault: Vault, for reach: Keyring.Reach, _ time: UnlockTime) throws {
        let key = SecretBytes.random(count: 32)
        try remember(vault.sealedKey(under: key), of: vault.id)
        do throws(Keyring.Unavailable) {
            try key.withBytes { (key) throws(Keyring.Unavailable) in
                try Keyring.add(key, named: name(of: vault.id), for: reach, seconds: time.seconds)
            }
        } catch {
            try drop(of: vault.id)
            throw Failure(keepingNoKey: error.reason)
        }
    }

    private static func remember(_ box: [UInt8], of vault: VaultID) throws {
        guard let ours = VaultMemories.ours else { throw Failure(keepingNoKey: "there is no home folder") }
        do { try ours.keep(box, asKeyOf: vault) } catch {
            guard case .cannotWrite(let path, let reason) = error else { throw error }
            throw Failure(keepingNoKey: "\(path): \(reason)")
        }
    }

    /// Locks the vault, in all logins; false if it was not unlocked.
    @discardableResult
    static func drop(of vault: VaultID) throws -> Bool {
        Keyring.remove(name(of: vault))
        return try VaultMemories.ours?.dropSealedKey(of: vault) ?? false
    }

    private static func name(of vault: VaultID) -> String { "closer-keys:\(vault)" }
}

extension Failure {
    fileprivate init(keepingNoKey reason: String) {
        self.init(
            .ioError, "this system keeps no key for a while (\(reason.lowercased())): the vault is locked",
            hint:
                "give the passphrase each time, or lock the vault with a key file: closer-keys device passphrase"
        )
    }
}

extension Keyring.Reach {
    var name: String {
        switch self {
        case .login: "login"
        case .user: "user"
        }
    }
}
