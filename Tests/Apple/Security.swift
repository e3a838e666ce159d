// swift-format-ignore-file
// What the library takes of Apple's Security. The bridging of dictionaries is Foundation's and is not shown here.
@_exported public import Foundation

public typealias CFDictionary = [String: Any]
public typealias CFTypeRef = AnyObject
public typealias OSStatus = Int32

public let errSecSuccess: OSStatus = 0
public let errSecDuplicateItem: OSStatus = -25299
public let errSecItemNotFound: OSStatus = -25300
public let errSecInteractionNotAllowed: OSStatus = -25308
public let errSecDecode: OSStatus = -26275

public let kSecClass = "", kSecClassGenericPassword = "", kSecAttrService = "", kSecAttrAccount = ""
public let kSecAttrAccessGroup = "", kSecAttrSynchronizable = "", kSecAttrSynchronizableAny = ""
public let kSecAttrAccessible = "", kSecAttrAccessibleWhenUnlocked = ""
public let kSecAttrAccessibleAfterFirstUnlock = "", kSecAttrAccessibleWhenUnlockedThisDeviceOnly = ""
public let kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly = ""
public let kSecValueData = "", kSecMatchLimit = "", kSecMatchLimitAll = "", kSecReturnData = ""
@available(macOS 10.15, iOS 13, watchOS 6, tvOS 13, *)
public let kSecUseDataProtectionKeychain = ""

public func SecItemAdd(_ item: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus { 0 }
public func SecItemUpdate(_ query: CFDictionary, _ change: CFDictionary) -> OSStatus { 0 }
public func SecItemDelete(_ query: CFDictionary) -> OSStatus { 0 }
public func SecItemCopyMatching(
    _ query: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?
) -> OSStatus { 0 }
