// What the library takes of Apple's Dispatch: a serial queue. Apple's block is no `@convention(block)` here, since that needs Objective-C.
@available(macOS 10.6, iOS 4, watchOS 2, tvOS 9, *)
public final class DispatchQueue: Sendable {
    public init(label: String) {}
    public func async(execute work: @escaping @Sendable () -> Void) {}
    public class func concurrentPerform(iterations: Int, execute work: (Int) -> Void) {}
}
