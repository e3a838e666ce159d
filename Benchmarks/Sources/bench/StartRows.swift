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
                "By callgrind, the parser takes 62 percent of the instructions of `version`, the loader 30, our own code 4. Of `field open`, the",
                "parser takes 58, libcrypto's first cipher 22, the loader 15, our own code 2. Most of the parser's part is Swift's search for",
                "conformances: each cast looks at 5,119 records. The four C libraries alone cost a C program that does nothing 1.3 ms more,",
                "of the 1.5 ms that `version` takes above an empty program: 1.4 of it would need libraries that are loaded later.",
                "Two copies of one program differ by up to 15 percent, as their pages lie in the system's cache; so do these ratios from run to run.",
            ])
        }
    }
}
