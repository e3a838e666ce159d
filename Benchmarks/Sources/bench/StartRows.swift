/// From start to finish of one command, as a script pays it, beside a program that parses its arguments and does nothing.
enum StartRows {
    static func all(_ stage: Stage) throws -> [Row] {
        let empty = Start(name: "an empty program", command: stage.empty)
        let version = Start(name: "closer-keys", command: stage.version)
        let nothing = Start(name: "true, which does nothing", command: Command(arguments: ["true"]))
        return [
            try Row(
                "version, start to finish", version,
                against: [(empty, .share(1.4)), (nothing, nil)]),
            try Row(
                "field open, start to finish", Start(name: "closer-keys", command: stage.fieldOpen),
                against: [(empty, .share(1.8)), (nothing, nil)]),
        ].map {
            $0.noting([
                "An empty program is one of Swift with ArgumentParser whose one command does nothing, as"
                    + " swift build -c release --static-swift-stdlib makes it.",
                "Of `field open`, by callgrind, ArgumentParser takes 54 percent of the instructions, libcrypto's first cipher 23, the",
                "loader 15, our own code 1. Among them Swift's search for conformances takes 41: each cast looks at 4,875 records. The",
                "four C libraries alone cost a C program that does nothing 0.9 ms to 1.2 ms more.",
                "Two copies of one program differ by up to 15 percent, as their pages lie in the system's cache; so do these ratios from run to run.",
            ])
        }
    }
}
