internal import ArgumentParser
internal import CloserPrimitives
internal import CloserSystem
internal import CloserVault
internal import CloserWire

extension DeviceCommand {
    struct Unlock: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "unlock",
            abstract: "Let commands open the vault without its passphrase for a while.",
            discussion: """
                The key that opens it is kept in the kernel's memory. Until its time is over, every process of this login can read it there. \
                Only Linux has such a memory.
                """)

        @Option(
            name: .customLong("for"),
            help: ArgumentHelp("How long: seconds, minutes or hours, up to 24h.", valueName: "time"))
        var time = UnlockTime.standard
        @Flag(help: "For everything that this user runs, in any login, and not only for this login.")
        var forUser = false
        @OptionGroup var vault: VaultOptions
        @OptionGroup var output: OutputOptions

        private var reach: Keyring.Reach { forUser ? .user : .login }

        func run() throws {
            var inputs = try Inputs([vault.inputName])
            // Before anybody types a passphrase in vain.
            do throws(Keyring.Unavailable) { try Keyring.check(reach) } catch {
                throw Failure(keepingNoKey: error.reason)
            }
            let opened = try vault.openToUnlock(&inputs)
            let result = try Sink(output, .line, inputs: inputs)
            try keep(opened, tellingOf: result)
        }

        private func keep(_ opened: borrowing UnlockableVault, tellingOf result: consuming Sink) throws {
            var result: Sink? = consume result
            try UnlockedVault.keep(
                opened.lockKey, of: opened.vault, opened.locked, for: reach, seconds: time.seconds
            ) {
                try result.take()?.report(
                    "unlocked for \(time), for \(forUser ? "all that this user runs" : "this login")",
                    json: ["unlocked": .string(reach.rawValue), "seconds": .number(Double(time.seconds))])
            }
        }
    }
}

/// A vault that a passphrase has opened, with the key of its lock.
struct UnlockableVault: ~Copyable {
    let vault: Vault
    let locked: LockedVault
    let lockKey: SecretBytes
}

extension VaultOptions {
    /// Opens a vault that a passphrase locks, which is wanted in any case.
    fileprivate func openToUnlock(_ inputs: inout Inputs) throws -> UnlockableVault {
        let known = try known(&inputs)
        guard known.locked.protection != .keyFile else {
            throw Failure(.usage, "this vault is locked with a key file, and needs no passphrase")
        }
        try known.checkPlace()
        let opened = try inputs.passphrase(passphrase.source, "passphrase for \(known.locked.path)") {
            do { return try open(known, known.locked, $0) } catch VaultError.authenticationFailed {
                // Another command may have changed the passphrase while the person was typing.
                let now = try LockedVault(at: known.locked.path)
                guard now.id == known.locked.id, !now.hasLock(of: known.locked) else {
                    throw VaultError.authenticationFailed
                }
                return try open(known, now, $0)
            }
        }
        inputs.claim(opened.vault, at: known.locked.path)
        return opened
    }

    private func open(
        _ known: KnownVault, _ locked: LockedVault, _ passphrase: borrowing SecretBytes
    ) throws -> UnlockableVault {
        let key = try locked.lockKey(from: passphrase)
        let opened = try known.open(
            with: .lockKey(key.withBytes { SecretBytes(copying: $0) }), keyFile: nil)
        try known.checkIsVault(opened.vault)
        return UnlockableVault(vault: opened.vault, locked: locked, lockKey: key)
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
