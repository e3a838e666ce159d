/// All cases that the program carries, from start to finish.
enum VectorRows {
    static func all(_ stage: Stage) throws -> [Row] {
        return [
            try Row(
                "vectors verify, all cases", Start(name: "closer-keys", command: stage.vectorsVerify),
                .time(1_000_000), against: [])
        ]
    }
}
