/// `..` at the beginning of a name, once or several times.
struct Climb {
    let count: Int
    /// What follows; `.` if nothing does.
    let rest: String

    /// As `../..`.
    var name: String { Self.name(count) }

    static func name(_ count: Int) -> String {
        [String](repeating: "..", count: count).joined(separator: "/")
    }

    /// Nil for a name that does not begin so. Cut as bytes: a slash with an accent on it is one `Character`, and no slash.
    init?(_ path: String) {
        var rest = path.utf8[...]
        var count = 0
        while rest.first != UInt8(ascii: "/") {
            let part = rest.prefix { $0 != UInt8(ascii: "/") }
            guard part.elementsEqual(".".utf8) || part.elementsEqual("..".utf8) else { break }
            count += part.count - 1
            rest = rest[part.endIndex...].drop { $0 == UInt8(ascii: "/") }
        }
        guard count > 0 else { return nil }
        (self.count, self.rest) = (count, rest.isEmpty ? "." : String(decoding: rest, as: UTF8.self))
    }
}
