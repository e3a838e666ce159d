/// From start to finish of one command, as a script pays it, beside a program that parses its arguments and does nothing.
enum StartRows {
    static func all(_ stage: Stage) throws -> [Row] {
        let empty = Start(name: "an empty program", command: stage.empty)
        let version = Start(name: "closer-keys", command: stage.version)
        let nothing = Start(name: "true, which does nothing", command: Command(arguments: ["true"]))
        return [
            try Row(
                "version, start to finish", version, .time(5000),
                against: [(empty, .share(1.3)), (nothing, nil)]),
            try Row(
                "field open, start to finish", Start(name: "closer-keys", command: stage.fieldOpen),
                .time(6000),
                against: [(empty, .share(1.6)), (nothing, nil)]),
        ].map {
            $0.noting([
                "An empty program is one of Swift with ArgumentParser whose one command does nothing, as"
                    + " swift build -c release --static-swift-stdlib makes it."
            ])
        }
    }
}
