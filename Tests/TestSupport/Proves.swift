public import Testing

/// The promise to a user that a test proves. `scripts/checks.d/promises --write` lists promises and tests in docs/promises.md.
///
/// A promise may have several tests. Each names the same text, which begins with the threat's number where there is one.
public struct Promise: TestTrait, SuiteTrait {
    public let text: String
}

extension Trait where Self == Promise {
    /// Says which promise fails if this test fails.
    public static func proves(_ text: String) -> Self { Promise(text: text) }
}
