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
                The vault's key goes into the kernel's memory, where every process of this login can read it until its time is over. \
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
            try result.report(
                "unlocked for \(time), for \(forUser ? "all that this user runs" : "this login")",
                json: ["unlocked": .string(reach.name), "seconds": .number(Double(time.seconds))])
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
            let known = try inputs.naming { try KnownVault(at: path, acceptsOlder: true) }
            let result = try Sink(output, .line, inputs: inputs)
            // Another vault may lie in its place by now.
            let removed = ([known.locked.id] + known.others.map(\.id)).filter { UnlockedKey.remove(of: $0) }
            try result.report(
                removed.isEmpty ? "it was not unlocked" : "locked",
                json: ["wasUnlocked": .bool(!removed.isEmpty)])
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

/// A vault's own key in the kernel's keyring, between `device unlock` and `device lock`.
struct UnlockedKey: ~Copyable {
    let secret: SecretBytes
    let reach: Keyring.Reach

    /// What is there of this vault; nil if it is locked. Whoever may write the keyring may have put anything there.
    init?(of vault: VaultID) {
        var found: Keyring.Reach?
        let secret = SecretBytes(capacity: 32) { found = Keyring.read(Self.name(of: vault), 32, into: &$0) }
        guard let found else { return nil }
        self.secret = secret
        reach = found
    }

    consuming func takeSecret() -> SecretBytes { secret }

    static func keep(_ vault: Vault, for reach: Keyring.Reach, _ time: UnlockTime) throws {
        do throws(Keyring.Unavailable) {
            try vault.withKey { (key) throws(Keyring.Unavailable) in
                try Keyring.add(key, named: name(of: vault.id), for: reach, seconds: time.seconds)
            }
        } catch {
            throw Failure(
                .ioError,
                "this system keeps no key for a while (\(error.reason.lowercased())): nothing has changed",
                hint:
                    "give the passphrase each time, or lock the vault with a key file: closer-keys device passphrase"
            )
        }
    }

    @discardableResult
    static func remove(of vault: VaultID) -> Bool { Keyring.remove(name(of: vault)) }

    private static func name(of vault: VaultID) -> String { "closer-keys:\(vault)" }
}

extension Keyring.Reach {
    var name: String {
        switch self {
        case .login: "login"
        case .user: "user"
        }
    }
}
