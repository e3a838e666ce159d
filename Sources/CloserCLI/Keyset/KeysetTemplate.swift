internal import ArgumentParser
internal import CloserPrimitives
internal import CloserTink
internal import CloserWire

/// Which key a new keyset or a new key in one shall have.
struct KeysetTypeOptions: ParsableArguments {
    enum KeyType: String, CaseIterable, ExpressibleByArgument {
        case aes256GCM = "aes256-gcm"
        case eciesP256 = "ecies-p256"
        case streaming = "aes256-gcm-hkdf-1mb"
    }

    enum PointFormat: String, CaseIterable, ExpressibleByArgument { case uncompressed, compressed }

    enum DEM: String, CaseIterable, ExpressibleByArgument {
        case aes128GCM = "aes128-gcm"
        case aes256GCM = "aes256-gcm"
    }

    @Option(
        help:
            "What the key is for: aes256-gcm for fields, ecies-p256 for keyboxes, aes256-gcm-hkdf-1mb for files."
    )
    var type: KeyType

    @Option(help: "ecies-p256: how the ephemeral point is written.")
    var pointFormat = PointFormat.uncompressed

    @Option(help: "ecies-p256: the cipher inside.")
    var dem = DEM.aes128GCM

    @Option(help: ArgumentHelp("ecies-p256: HKDF's salt.", valueName: "hex"))
    var saltHex = ""

    var template: KeyTemplate {
        get throws {
            guard type == .eciesP256 else { return try symmetric }
            return .ecies(
                ECIESParameters(
                    pointFormat: pointFormat == .compressed ? .compressed : .uncompressed,
                    dem: dem == .aes256GCM ? .aes256GCM : .aes128GCM, salt: try salt))
        }
    }

    private var symmetric: KeyTemplate {
        get throws {
            guard pointFormat == .uncompressed, dem == .aes128GCM, saltHex.isEmpty else {
                throw Failure(.usage, "--point-format, --dem and --salt-hex go with --type ecies-p256")
            }
            return type == .streaming ? .streaming(.oneMiB) : .aes256GCM
        }
    }

    private var salt: [UInt8] {
        get throws {
            guard let salt = try? Hex.decode(saltHex) else {
                throw Failure(.usage, "--salt-hex takes pairs of hexadecimal digits")
            }
            guard salt.count <= 1024 else { throw Failure(.limit, "a salt has at most 1024 bytes") }
            return salt
        }
    }
}

/// What stands before a ciphertext.
enum PrefixOption: String, CaseIterable, ExpressibleByArgument {
    case tink, raw, crunchy

    var prefix: OutputPrefix {
        switch self {
        case .tink: .tink
        case .raw: .raw
        case .crunchy: .crunchy
        }
    }
}

extension KeyTemplate {
    /// The prefix that a new key gets: the wanted one, else the usual one. A stream has no place for any.
    func prefix(_ wanted: PrefixOption?, usually usual: OutputPrefix) throws -> OutputPrefix {
        guard case .streaming = self else { return wanted?.prefix ?? usual }
        guard wanted == nil || wanted == .raw else {
            throw Failure(.usage, "files have no prefix: leave --prefix out, or use raw")
        }
        return .raw
    }
}
