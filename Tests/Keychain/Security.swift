// swift-format-ignore-file
// Stands in for the four functions of Apple's Security that KeychainItems.swift calls, on Linux. It does what Apple's documentation says,
// as far as those calls go. No Keychain was seen.
public import Foundation
internal import Synchronization

public typealias CFDictionary = [String: Any]
public typealias CFString = String
public typealias CFTypeRef = AnyObject
public typealias OSStatus = Int32

public let errSecSuccess: OSStatus = 0
public let errSecParam: OSStatus = -50
public let errSecDuplicateItem: OSStatus = -25299
public let errSecItemNotFound: OSStatus = -25300
public let errSecInteractionNotAllowed: OSStatus = -25308
public let errSecDecode: OSStatus = -26275
public let errSecMissingEntitlement: OSStatus = -34018

public let kSecClass = "class"
public let kSecClassGenericPassword = "genp"
public let kSecAttrService = "svce"
public let kSecAttrAccount = "acct"
public let kSecAttrAccessGroup = "agrp"
public let kSecAttrSynchronizable = "sync"
public let kSecAttrSynchronizableAny = "syna"
public let kSecAttrAccessible = "pdmn"
public let kSecAttrAccessibleWhenUnlocked = "ak"
public let kSecAttrAccessibleAfterFirstUnlock = "ck"
public let kSecAttrAccessibleWhenUnlockedThisDeviceOnly = "aku"
public let kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly = "cku"
public let kSecValueData = "v_Data"
public let kSecMatchLimit = "m_Limit"
public let kSecMatchLimitAll = "m_LimitAll"
public let kSecReturnData = "r_Data"
public let kSecUseDataProtectionKeychain = "nleg"

/// A Keychain in memory, for one test at a time.
public final class StandInKeychain: Sendable {
    /// One generic password.
    public struct Item: Equatable, Sendable {
        public var service, account: String
        public var group: String?
        public var isSynchronised: Bool
        public var accessibility: String
        public var value: Data
    }

    /// The functions below use the one of the task.
    @TaskLocal public static var current = StandInKeychain()

    private struct State {
        var items: [Item] = []
        var refusal: OSStatus?
    }

    private let state = Mutex(State())

    public init() {}

    public var items: [Item] {
        get { state.withLock { $0.items } }
        set { state.withLock { $0.items = newValue } }
    }

    /// What every function returns instead, such as that the device is locked.
    public var refusal: OSStatus? {
        get { state.withLock { $0.refusal } }
        set { state.withLock { $0.refusal = newValue } }
    }

    fileprivate func using(_ query: CFDictionary, _ body: (inout [Item]) -> OSStatus) -> OSStatus {
        state.withLock { state in
            guard query[kSecClass] as? String == kSecClassGenericPassword,
                query[kSecUseDataProtectionKeychain] as? Bool == true
            else { return errSecParam }
            return state.refusal ?? body(&state.items)
        }
    }
}

extension StandInKeychain.Item {
    fileprivate init?(_ query: CFDictionary) {
        guard let service = query[kSecAttrService] as? String,
            let account = query[kSecAttrAccount] as? String,
            let accessibility = query[kSecAttrAccessible] as? String,
            let value = query[kSecValueData] as? Data
        else { return nil }
        (self.service, self.account, self.accessibility, self.value) = (
            service, account, accessibility, value
        )
        (group, isSynchronised) = (
            query[kSecAttrAccessGroup] as? String, query[kSecAttrSynchronizable] as? Bool == true
        )
        // Apple refuses a synchronised item that is for this device alone.
        if isSynchronised, accessibility.hasSuffix("u") { return nil }
    }

    /// A query without `kSecAttrSynchronizable` is for items that are not synchronised.
    fileprivate func fits(_ query: CFDictionary) -> Bool {
        let synchronised = query[kSecAttrSynchronizable]
        let isAny = synchronised as? String == kSecAttrSynchronizableAny
        return query[kSecAttrService] as? String == service
            && (query[kSecAttrAccount] as? String ?? account) == account
            && (query[kSecAttrAccessGroup] as? String ?? group) == group
            && (isAny || (synchronised as? Bool ?? false) == isSynchronised)
    }
}

public func SecItemAdd(_ attributes: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
    StandInKeychain.current.using(attributes) { items in
        guard let item = StandInKeychain.Item(attributes) else { return errSecParam }
        let isThere = items.contains {
            ($0.service, $0.account, $0.group) == (item.service, item.account, item.group)
                && $0.isSynchronised == item.isSynchronised
        }
        guard !isThere else { return errSecDuplicateItem }
        items.append(item)
        return errSecSuccess
    }
}

public func SecItemUpdate(_ query: CFDictionary, _ attributesToUpdate: CFDictionary) -> OSStatus {
    StandInKeychain.current.using(query) { items in
        guard let value = attributesToUpdate[kSecValueData] as? Data else { return errSecParam }
        let found = items.indices.filter { items[$0].fits(query) }
        for index in found { items[index].value = value }
        return found.isEmpty ? errSecItemNotFound : errSecSuccess
    }
}

public func SecItemDelete(_ query: CFDictionary) -> OSStatus {
    StandInKeychain.current.using(query) { items in
        let count = items.count
        items.removeAll { $0.fits(query) }
        return items.count == count ? errSecItemNotFound : errSecSuccess
    }
}

public func SecItemCopyMatching(_ query: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?)
    -> OSStatus
{
    StandInKeychain.current.using(query) { items in
        guard query[kSecMatchLimit] as? String == kSecMatchLimitAll, query[kSecReturnData] as? Bool == true
        else {
            return errSecParam
        }
        let found = items.filter { $0.fits(query) }.map(\.value)
        if let result = unsafe result { unsafe result.pointee = found as AnyObject }
        return found.isEmpty ? errSecItemNotFound : errSecSuccess
    }
}
