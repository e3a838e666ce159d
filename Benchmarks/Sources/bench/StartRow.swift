/// From start to finish of one `closer-keys field open` with a keyset file, as a script pays it.
enum StartRow {
    static func row(_ stage: Stage) throws -> Row {
        try Row(
            "start to finish of field open", Start(name: "closer-keys", command: stage.fieldOpen),
            .time(8000),
            against: [
                (Start(name: "its version command", command: stage.version), nil),
                (Start(name: "true, which does nothing", command: Command(arguments: ["true"])), nil),
            ])
    }
}
