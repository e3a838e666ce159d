/// The name of a FitLink chat: the ids of its two users, sorted bytewise and joined with `_` (formats §6).
///
/// - Important: Ids may hold a `_` themselves, so `a_b` with `c` and `a` with `b_c` are one name. The keys differ all the
///   same, since other people have other key pairs.
public struct ChatID: Equatable, Hashable, Sendable {
    public let identifier: Identifier

    /// Of two users, in any order; together they have at most 127 characters.
    public init(_ ours: Identifier, _ theirs: Identifier) throws(Identifier.FormatError) {
        let users = [ours, theirs].sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
        try self.init(parsing: "\(users[0].text)_\(users[1].text)")
    }

    /// Takes a name as an app made it.
    public init(parsing text: String) throws(Identifier.FormatError) {
        identifier = try Identifier(parsing: text)
    }

    /// ASCII.
    public var bytes: [UInt8] { identifier.bytes }
}

extension ChatID: CustomStringConvertible {
    public var description: String { identifier.text }
}
