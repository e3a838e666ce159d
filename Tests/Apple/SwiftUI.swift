// swift-format-ignore-file
// What the sample app takes of Apple's SwiftUI, for its types alone: every view that a builder makes is a `Built`, which shows nothing.

@MainActor @preconcurrency public protocol View {
    associatedtype Body: View
    @ViewBuilder @MainActor var body: Body { get }
}

extension Never: View { public var body: Never { return preconditionFailure("a stand-in shows nothing") } }

public protocol Leaf: View where Body == Never {}
extension Leaf { public var body: Never { return preconditionFailure("a stand-in shows nothing") } }

public struct Built: Leaf { nonisolated init() {} }

@resultBuilder public enum ViewBuilder {
    public static func buildExpression(_: some View) -> Built { Built() }
    public static func buildBlock(_: Built...) -> Built { Built() }
    public static func buildEither(first: Built) -> Built { first }
    public static func buildEither(second: Built) -> Built { second }
}

public struct VStack: Leaf { public init(spacing: Int? = nil, @ViewBuilder content: () -> Built) {} }
public struct Text: Leaf { public init(_: String) {} }
public struct Button: Leaf { public init(_: String, action: @escaping @MainActor () -> Void) {} }
public struct TextField: Leaf { public init(_: String, text: Binding<String>) {} }

public struct Binding<Value> {}
@propertyWrapper public struct State<Value> {
    private let value: Value
    public init(wrappedValue: Value) { value = wrappedValue }
    public var wrappedValue: Value { get { value } nonmutating set {} }
    public var projectedValue: Binding<Value> { Binding() }
}

public struct Color: Sendable { public static let red = Color() }
public struct Font: Sendable {
    public static let largeTitle = Font(), title = Font(), title2 = Font(), headline = Font()
    public func monospaced() -> Font { self }
}

extension View {
    public func font(_: Font?) -> some View { Built() }
    public func foregroundStyle(_: Color) -> some View { Built() }
    public func privacySensitive(_: Bool = true) -> some View { Built() }
    public func padding() -> some View { Built() }
    public func disabled(_: Bool) -> some View { Built() }
    public func autocorrectionDisabled(_: Bool = true) -> some View { Built() }
    public func onSubmit(_: @escaping () -> Void) -> some View { Built() }
    public func task(_: sending @escaping @isolated(any) () async -> Void) -> some View { Built() }
}
