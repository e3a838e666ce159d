internal import CloserFiles
internal import CloserTink

extension StreamStage where Self: ~Copyable {
    /// Moves all of `input` to `output` in constant memory, and shows how far it is.
    mutating func move(
        from input: borrowing Descriptor, to output: inout Output
    ) throws -> (bytesIn: Int, bytesOut: Int) {
        var progress = Progress(of: .bytes, total: input.regularByteCount, isWanted: output.allowsProgress)
        defer { progress.erase() }
        let bytesIn = try move(
            from: { try input.read(into: &$0) }, to: { try output.write($0) }, telling: { progress.show($0) })
        return (bytesIn, output.byteCount)
    }
}
