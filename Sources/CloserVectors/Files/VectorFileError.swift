/// Why a file is no file of vectors. Nothing of it is run then: a case that is passed over looks like one that passed.
package enum VectorFileError: Error, Equatable, Sendable {
    /// Not one JSON object, strict: no duplicate names, nothing behind it.
    case notJSON
    /// The schema is none of ours and none of Wycheproof's that are known here.
    case unknownSchema(String)
    case missing(String, Place)
    case unknown(String, Place)
    /// The member is there, and is of another type or has a value that it cannot have.
    case wrong(String, Place)
    /// `numberOfTests` is not the number of tests.
    case wrongCount(declared: Int, found: Int)
    case duplicateID(Int)
    /// A test has a flag that the notes do not explain.
    case unexplainedFlag(String, Place)

    /// Where in the file, to be read by a person.
    package enum Place: Equatable, Sendable {
        case file
        /// Counted from 1.
        case group(Int)
        /// By its `tcId`.
        case test(Int)

        var words: String {
            switch self {
            case .file: "the file"
            case .group(let number): "group \(number)"
            case .test(let id): "test \(id)"
            }
        }
    }

    /// What is wrong, in words for a person: lower case, no full stop.
    package var words: String {
        switch self {
        case .notJSON: "it is not one JSON object, in strict JSON"
        case .unknownSchema(let name): "its schema \(Shown.short(name)) is not known"
        case .missing(let name, let place): "\(place.words) has no \(name)"
        case .unknown(let name, let place):
            "\(place.words) has a member \(Shown.short(name)), which is not known"
        case .wrong(let name, let place): "the \(name) of \(place.words) is not what it must be"
        case .wrongCount(let declared, let found): "numberOfTests is \(declared), and it has \(found)"
        case .duplicateID(let id): "two tests have the tcId \(id)"
        case .unexplainedFlag(let flag, let place):
            "the notes do not explain the flag \(Shown.short(flag)) of \(place.words)"
        }
    }
}
