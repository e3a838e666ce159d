/// Something that answers vectors: this library, or a program that somebody else wrote.
package protocol Implementation: ~Copyable {
    mutating func answer(_ test: VectorCase) -> Answer
}
