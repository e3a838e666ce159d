package import CloserPrimitives
internal import CloserWire

/// The costs of Argon2id in v1, and the only ones: 46080 KiB, three passes, one lane (formats §3).
///
/// `kdfParams` comes from a server. It is a check, never an input: a server could ask for 4 GiB, or for nothing.
package enum WrapCost {
    /// The member `kdfParams` as we write it.
    static let text = #"{"alg":"argon2id","m":46080,"p":1,"t":3,"v":19}"#

    package static let argon2id: Argon2id = {
        guard let cost = try? Argon2id(memoryKiB: 46_080, passes: 3, lanes: 1) else {
            preconditionFailure("the costs of v1 are out of bounds")
        }
        return cost
    }()

    /// Whether `text` names exactly these costs, in one of the spellings that clients use.
    package static func isExactly(_ text: String) -> Bool {
        guard !text.utf8.elementsEqual("argon2id$v=19$m=46080,t=3,p=1".utf8) else { return true }
        guard let members = (try? JSONValue(parsing: text.utf8))?.members else { return false }
        let costs = members.compactMap { member in cost(of: member) }
        return costs.count == members.count && costs.sorted() == ["alg", "m", "p", "t", "v"]
    }

    /// Our name of the cost that a member gives, or nil if it is none or another value.
    private static func cost(of member: JSONValue.Member) -> String? {
        switch (member.name, member.value) {
        case ("alg", .string("argon2id")): "alg"
        case ("m", .number(46_080)), ("memory", .number(46_080)), ("memoryKiB", .number(46_080)): "m"
        case ("p", .number(1)), ("parallelism", .number(1)): "p"
        case ("t", .number(3)), ("iterations", .number(3)): "t"
        case ("v", .number(19)): "v"
        default: nil
        }
    }
}
