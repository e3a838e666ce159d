/// Random bytes by number: the same bytes have the same number, and which bytes they are does not matter.
///
/// In a list of numbers those below ``first`` mean themselves.
final class SearchNames {
    static let first = 1 << 20
    private var numbers: [[UInt8]: Int] = [:]

    /// The number of these bytes among all of that sort.
    func of(_ sort: String, _ bytes: [UInt8]) -> Int {
        let named = Array(sort.utf8) + [0] + bytes
        if let number = numbers[named] { return number }
        numbers[named] = Self.first + numbers.count
        return Self.first + numbers.count - 1
    }

    /// The same list for every draw of the random bytes: each is named after the place where it is met first.
    static func canonical(_ list: [Int]) -> [Int] {
        var places: [Int: Int] = [:]
        return list.map { number in
            guard number >= first else { return number }
            if let place = places[number] { return place }
            places[number] = first + places.count
            return first + places.count - 1
        }
    }
}
