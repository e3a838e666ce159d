/// Something that answers vectors: this library, or a program that somebody else wrote.
package protocol Implementation: ~Copyable {
    mutating func answer(_ test: VectorCase) -> Answer
    /// Begins anew, as a process does.
    mutating func restart()
}

extension Implementation where Self: ~Copyable {
    package mutating func restart() {}
}
