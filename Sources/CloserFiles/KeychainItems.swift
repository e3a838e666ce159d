#if canImport(Security)
package import Foundation
internal import Security

/// What the Keychain answered: a code of Apple's.
package struct KeychainStatus: Error {
    package let code: Int32
    /// The device is locked, or the item is for an unlocked one: `errSecInteractionNotAllowed`.
    package var isLocked: Bool { code == errSecInteractionNotAllowed }
}

/// The Keychain's generic passwords of one service, each under its account.
///
/// An item is read, added, updated or removed by itself: there is no transaction. On a Mac these are items of the data protection
/// Keychain, which has groups and accessibility as on a phone.
package struct KeychainItems: Sendable {
    private let service: String
    private let group: String?
    private let isWhenUnlocked: Bool
    private let isSynchronised: Bool

    /// Items are for this device alone, unless they are synchronised. `isWhenUnlocked` demands an unlocked device for each access,
    /// otherwise one unlocking since the start is enough.
    package init(service: String, group: String?, isWhenUnlocked: Bool, isSynchronised: Bool) {
        (self.service, self.group) = (service, group)
        (self.isWhenUnlocked, self.isSynchronised) = (isWhenUnlocked, isSynchronised)
    }

    /// Adds an item; false if the account has one.
    package func add(_ value: Data, account: String) throws(KeychainStatus) -> Bool {
        var item = query(of: account, isSynchronised)
        item[kSecValueData as String] = value
        item[kSecAttrAccessible as String] = accessibility
        return try Self.isDone(SecItemAdd(item as CFDictionary, nil), unless: errSecDuplicateItem)
    }

    /// Replaces an item; false if the account has none.
    package func update(_ value: Data, account: String) throws(KeychainStatus) -> Bool {
        let (item, change) = (query(of: account, isSynchronised), [kSecValueData as String: value])
        return try Self.isDone(
            SecItemUpdate(item as CFDictionary, change as CFDictionary), unless: errSecItemNotFound)
    }

    /// Removes an item; false if the account has none.
    @discardableResult
    package func remove(account: String) throws(KeychainStatus) -> Bool {
        let item = query(of: account, isSynchronised)
        return try Self.isDone(SecItemDelete(item as CFDictionary), unless: errSecItemNotFound)
    }

    /// Every item of the service, synchronised or not; empty if there is none.
    package func values() throws(KeychainStatus) -> [Data] {
        try values(query(of: nil, kSecAttrSynchronizableAny))
    }

    /// The item of one account; in several groups, each of them.
    package func values(account: String) throws(KeychainStatus) -> [Data] {
        try values(query(of: account, isSynchronised))
    }

    private func values(_ query: [String: Any]) throws(KeychainStatus) -> [Data] {
        var items = query
        items[kSecMatchLimit as String] = kSecMatchLimitAll
        items[kSecReturnData as String] = true
        var found: CFTypeRef?
        let status = unsafe SecItemCopyMatching(items as CFDictionary, &found)
        guard try Self.isDone(status, unless: errSecItemNotFound) else { return [] }
        guard let values = found as? [Data] else { throw KeychainStatus(code: errSecDecode) }
        return values
    }

    private func query(of account: String?, _ isSynchronised: Any) -> [String: Any] {
        var query: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: service,
            kSecAttrSynchronizable as String: isSynchronised,
            kSecUseDataProtectionKeychain as String: true,
        ]
        query[kSecAttrAccount as String] = account
        query[kSecAttrAccessGroup as String] = group
        return query
    }

    private var accessibility: Any {
        switch (isWhenUnlocked, isSynchronised) {
        case (true, false): kSecAttrAccessibleWhenUnlockedThisDeviceOnly
        case (false, false): kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly
        case (true, true): kSecAttrAccessibleWhenUnlocked
        case (false, true): kSecAttrAccessibleAfterFirstUnlock
        }
    }

    private static func isDone(_ status: OSStatus, unless other: OSStatus) throws(KeychainStatus) -> Bool {
        guard status == errSecSuccess || status == other else { throw KeychainStatus(code: status) }
        return status == errSecSuccess
    }
}
#endif
