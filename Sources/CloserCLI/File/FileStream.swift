internal import CloserFiles
internal import CloserTink
internal import CloserWire

extension StreamStage where Self: ~Copyable {
    /// Moves all of `input` to `output` in constant memory, and shows how far it is. Gives what `--json` tells: how long both are.
    mutating func move(
        from input: borrowing Descriptor, to output: inout Output
    ) throws -> [JSONValue.Member] {
        var progress = Progress(of: .bytes, total: input.regularByteCount, isWanted: output.allowsProgress)
        defer { progress.erase() }
        let bytesIn = try move(
            from: { try input.read(into: &$0) }, to: { try output.write($0) }, telling: { progress.show($0) })
        return [
            .init("bytesIn", .number(Double(bytesIn))), .init("bytesOut", .number(Double(output.byteCount))),
        ]
    }
}
