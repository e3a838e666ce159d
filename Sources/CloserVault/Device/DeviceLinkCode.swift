internal import CloserKeys
public import CloserPrimitives
package import CloserWire

extension DeviceLink {
    /// Twenty-eight symbols, 140 bits, which a person brings from one of their devices to another: the key to a link.
    ///
    /// - Important: Show it, and send it nowhere: the document passes through the server.
    @frozen public struct Code: ~Copyable, Sendable {
        /// Twenty-eight symbols.
        public static let symbolCount = 28
        private static let groupCount = 4

        /// The symbols in ASCII, without hyphens: for a QR code.
        public let symbols: SecretBytes

        /// A new code.
        public static func random(from randomness: Randomness = .system) -> Code {
            Code(checked: CodeSymbol.random(count: symbolCount, from: randomness))
        }

        /// Takes over what a person typed or a camera read, in UTF-8, as tolerantly as a `PairingCode`.
        ///
        /// - Throws: ``FormatError``.
        public init(typed text: consuming SecretBytes) throws(FormatError) {
            let reading = text.withBytes { CodeSymbol.Reading($0, room: Self.symbolCount) }
            guard reading.isFaultless, reading.symbols.count == Self.symbolCount else { throw FormatError() }
            self.init(checked: reading.symbols.bytes())
        }

        private init(checked symbols: consuming SecretBytes) { self.symbols = symbols }

        /// The code as it is shown: groups of four symbols with hyphens between them.
        public var text: SecretBytes {
            symbols.withBytes { symbols in
                SecretBytes(capacity: symbols.count + symbols.count / Self.groupCount - 1) { output in
                    for index in symbols.indices {
                        if index > 0, index % Self.groupCount == 0 { output.append(UInt8(ascii: "-")) }
                        output.append(symbols[index])
                    }
                }
            }
        }
    }
}

extension DeviceLink.Code {
    /// The text has another length than twenty-eight symbols, or a foreign character.
    public struct FormatError: Error, Equatable, Sendable {}
}

extension DeviceLink.Code.FormatError: WordedError {
    package var words: ErrorWords {
        ErrorWords(.malformed, "the code of a link has twenty-eight letters and digits")
    }
}
