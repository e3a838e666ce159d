import CCycles
import CloserPrimitives

/// What is done with a secret, and secrets of two classes: one that is always the same, and new ones. All have the same length,
/// since lengths are public.
struct Timed: Sendable {
    /// Whether it is a fault that must be found.
    enum Expectation: Sendable { case planted, same, measured }

    let name: String
    let expectation: Expectation
    private let fixed: [UInt8]
    private let random: @Sendable () -> [UInt8]
    private let run: @Sendable (Span<UInt8>) -> Void

    init<Result: ~Copyable>(
        _ name: String, _ expectation: Expectation = .measured, fixed: [UInt8],
        random: @escaping @Sendable () -> [UInt8],
        _ body: @escaping @Sendable (Span<UInt8>) throws -> Result
    ) {
        (self.name, self.expectation, self.fixed, self.random) = (name, expectation, fixed, random)
        run = { secret in
            do { Self.keep(try body(secret)) } catch {
                preconditionFailure("a secret of the test is refused")
            }
        }
    }

    /// So that nothing is left out whose result nobody uses.
    @inline(never) private static func keep<Result: ~Copyable>(_ result: consuming Result) {}

    /// So many ticks of each class. Which is next is drawn. The secrets are made beforehand, those of both classes lie in one
    /// table, and each is moved to the same place: only their bytes may make a difference.
    func measured(_ count: Int) -> Sample {
        var sample = Sample()
        for batch in stride(from: 0, to: count, by: Self.batch) {
            let isFixed = (0..<min(Self.batch, count - batch)).map { _ in Bool.random() }
            let table = isFixed.flatMap { $0 ? fixed : random() }
            for index in isFixed.indices {
                let row = index * fixed.count..<(index + 1) * fixed.count
                let secret = SecretBytes(shortLived: fixed.count) { output in
                    for place in row { output.append(table[place]) }
                }
                sample.append(secret.withBytes(ticks), isFixed: isFixed[index])
            }
        }
        return sample
    }

    private static let batch = 10_000

    private func ticks(_ secret: Span<UInt8>) -> Double {
        let start = cycles_now()
        run(secret)
        return Double(cycles_now() - start)
    }
}
