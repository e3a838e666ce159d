extension Array where Element: BitwiseCopyable {
    /// The elements, as the standard library's `span` lends them, which is of iOS 26 and macOS 26. The span of a slice is older.
    ///
    /// The slice holds the same storage as this array, and that stays while the array is borrowed.
    @inlinable package var span: Span<Element> {
        @_lifetime(borrow self) borrowing get {
            let all = self[...]
            return unsafe _overrideLifetime(all.span, borrowing: self)
        }
    }
}
