public import CloserKeys

extension Device {
    /// Who this device's user is in a chat.
    public var chatKey: X25519PrivateKey { X25519PrivateKey(x25519) }
}
