internal import ArgumentParser
internal import CloserPrimitives
internal import CloserTink

/// A keyset as it stands in a file, with the form it has there.
struct KeysetFile {
    /// How a keyset is written.
    enum Form: String, CaseIterable, ExpressibleByArgument { case binary, json }

    let keyset: Keyset
    let form: Form

    init(_ bytes: borrowing SecretBytes) throws(KeysetError) {
        form = InsecureCleartextKeyset.isJSON(bytes) ? .json : .binary
        keyset = try InsecureCleartextKeyset.read(bytes)
    }
}

extension Keyset {
    func written(_ form: KeysetFile.Form) -> SecretBytes {
        switch form {
        case .binary: InsecureCleartextKeyset.binary(self)
        case .json: InsecureCleartextKeyset.json(self)
        }
    }
}
