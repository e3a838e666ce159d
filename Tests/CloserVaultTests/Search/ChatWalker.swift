import CloserKeys
import CloserPrimitives

@testable import CloserVault

/// A person of a chat, on one or two devices with one vault, and what the person's vault must know.
final class ChatWalker {
    let place: Int
    let user: UserID
    var account = ChatAccount()
    /// What the server had of this person's chat keys.
    var documents: [ChatKeyDocument] = []
    private(set) var wasPutBack = false
    /// Each id that was sealed.
    private(set) var ids: [MessageID] = []
    private let vaults: MemoryVaults
    private let name: String
    private let partner: UserID
    private var devices: [Vault]
    private var chats: [Vault.Chat] = []
    private var kept: (bytes: [UInt8], account: ChatAccount)?
    private var numbers: [UInt64: MessageID] = [:]
    private var births: [UInt32: X25519PublicKey] = [:]

    init(_ vaults: MemoryVaults, place: Int, devices count: Int) throws {
        let names = ["alice", "bob"]
        (self.vaults, self.place, name) = (vaults, place, names[place])
        (user, partner) = (try ChatScene.user(name), try ChatScene.user(names[1 - place]))
        devices = [try vaults.make(name, for: name)]
        for _ in 1..<count { devices.append(try vaults.open(name)) }
        for vault in devices { vault.setClock(clock) }
    }

    var clock: UInt64 = ChatScene.start {
        didSet {
            for vault in devices { vault.setClock(clock) }
            account.latest = max(account.latest, clock)
        }
    }

    var deviceCount: Int { devices.count }
    var vault: Vault { devices[0] }
    var bytes: [UInt8]? { vaults.storage(name).bytes }
    func chat(_ device: Int) -> Vault.Chat { chats[device] }

    func meet(_ other: ChatWalker) throws {
        try vault.pin(other.vault.device.chatKey.publicKey, of: partner)
        chats = try devices.map { try $0.chat(with: partner) }
    }

    /// Whether a message opens here where it belongs; nil if it may.
    func opens(_ mail: ChatMail) -> Bool? {
        mail.from == place ? account.opens(mail, at: clock) : account.opens(mail.reader, at: clock)
    }

    /// Notes the number of a message. Says whether it is the only one of its number.
    func isAlone(_ id: MessageID, _ number: UInt64) -> Bool {
        ids.append(id)
        account.send(id, number)
        defer { numbers[number] = id }
        return numbers[number, default: id] == id
    }

    /// Notes a key. Says whether it is the only one of its index, or was born ahead of the clock, as those of a copy may be.
    func isAlone(_ key: ChatAccount.Key) -> Bool {
        account.draw(key)
        defer { births[key.index] = key.key }
        return births[key.index] == nil || UInt64(key.index) > clock
    }

    func keep() { kept = bytes.map { ($0, account) } }

    /// Puts the kept state back, as a person does who accepts it. Says whether one was kept.
    func putBack(on device: Int) throws -> Bool {
        guard let kept else { return false }
        let known = try devices[device].current().version
        vaults.write(kept.bytes, to: name)
        let vault = try vaults.open(name)
        vault.setClock(clock)
        try vault.acceptAsNewest(after: known)
        devices[device] = vault
        // Another device that saw what is given up is asked to accept, too: there, the app opens it anew.
        for place in devices.indices where (try? devices[place].current()) == nil {
            devices[place] = try vaults.open(name)
            devices[place].setClock(clock)
        }
        chats = try devices.map { try $0.chat(with: partner) }
        (account, wasPutBack) = (kept.account, true)
        account.isOlderCopy = true
        account.latest = max(account.latest, clock)
        return true
    }
}
