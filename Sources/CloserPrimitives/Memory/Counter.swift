internal import CCloserSync

/// A number that several threads may change at once.
///
/// A fork leaves it free, unlike a ``Lock``.
@safe struct Counter: ~Copyable, @unchecked Sendable {
    private let number: UnsafeMutablePointer<UInt64>

    init() {
        unsafe number = .allocate(capacity: 1)
        unsafe number.initialize(to: 0)
    }

    var value: UInt64 { unsafe closer_counter_read(number) }

    func add(_ count: UInt64) { unsafe closer_counter_add(number, count) }

    /// Puts `new` in the place of `old`. If another number is there, takes that for `old` and returns false.
    func replace(_ old: inout UInt64, by new: UInt64) -> Bool {
        unsafe closer_counter_exchange(number, &old, new)
    }

    /// Clears the bits that `mask` lacks. A thread that replaces the number after that sees what this thread did before.
    func keep(_ mask: UInt64) { unsafe closer_counter_mask(number, mask) }

    deinit { unsafe number.deallocate() }
}
