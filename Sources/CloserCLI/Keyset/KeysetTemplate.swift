internal import ArgumentParser
internal import CloserTink
internal import CloserWire

/// Which kind of key to make.
struct KeysetTypeOptions: ParsableArguments {
    enum KeyType: String, CaseIterable, ExpressibleByArgument {
        case aes256GCM = "aes256-gcm"
        case eciesP256 = "ecies-p256"
        case streaming = "aes256-gcm-hkdf-1mb"
    }

    @Option(
        help:
            "What the key is for: aes256-gcm for fields, ecies-p256 for keyboxes, aes256-gcm-hkdf-1mb for files."
    )
    var type: KeyType

    @Option(help: "ecies-p256: how the ephemeral point is written.")
    var pointFormat = Named(ECIESParameters.PointFormat.uncompressed)

    @Option(help: "ecies-p256: the cipher inside.")
    var dem = Named(ECIESParameters.DEM.aes128GCM)

    @Option(help: ArgumentHelp("ecies-p256: HKDF's salt.", valueName: "hex"))
    var saltHex = ""

    var template: KeyTemplate {
        get throws {
            guard type == .eciesP256 else { return try symmetric }
            return .ecies(ECIESParameters(pointFormat: pointFormat.value, dem: dem.value, salt: try salt))
        }
    }

    private var symmetric: KeyTemplate {
        get throws {
            guard pointFormat.value == .uncompressed, dem.value == .aes128GCM, saltHex.isEmpty else {
                throw CLIError(.usage, "--point-format, --dem and --salt-hex go with --type ecies-p256")
            }
            return type == .streaming ? .streaming(.oneMiB) : .aes256GCM
        }
    }

    private var salt: [UInt8] {
        get throws {
            let salt = try Inputs.hex(saltHex, of: "--salt-hex")
            guard salt.count <= 1024 else { throw CLIError(.limit, "a salt has at most 1024 bytes") }
            return salt
        }
    }
}

extension ECIESParameters.PointFormat: NamedValue {
    static var names: [(name: String, value: Self)] {
        [("uncompressed", .uncompressed), ("compressed", .compressed)]
    }
}

extension ECIESParameters.DEM: NamedValue {
    static var names: [(name: String, value: Self)] {
        [("aes128-gcm", .aes128GCM), ("aes256-gcm", .aes256GCM)]
    }
}

extension OutputPrefix: NamedValue {
    /// All but `legacy`, which the program reads and never makes.
    static var names: [(name: String, value: Self)] {
        [("tink", .tink), ("raw", .raw), ("crunchy", .crunchy)]
    }
}

extension KeyTemplate {
    /// The prefix of a new key: the wanted one, or else the usual one. Streams accept `raw` alone.
    func prefix(_ wanted: Named<OutputPrefix>?, usually usual: OutputPrefix) throws -> OutputPrefix {
        guard case .streaming = self else { return wanted?.value ?? usual }
        guard wanted == nil || wanted?.value == .raw else {
            throw CLIError(.usage, "files have no prefix: leave --prefix out, or use raw")
        }
        return .raw
    }
}
