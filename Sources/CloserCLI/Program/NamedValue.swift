internal import ArgumentParser

/// A value of the libraries that has a name on the command line.
protocol NamedValue: Equatable {
    static var names: [(name: String, value: Self)] { get }
}

extension NamedValue where Self: RawRepresentable<String> & CaseIterable {
    static var names: [(name: String, value: Self)] { allCases.map { ($0.rawValue, $0) } }
}

/// One of the values of `Value`, as an option or an argument takes it.
///
/// `Value` itself cannot conform to `ExpressibleByArgument`: a public type's conformance would have to be public too, and
/// ArgumentParser is an internal import.
struct Named<Value: NamedValue>: ExpressibleByArgument {
    let value: Value

    init(_ value: Value) { self.value = value }

    init?(argument: String) {
        guard let value = Value.names.first(where: { $0.name == argument })?.value else { return nil }
        self.value = value
    }

    static var allValueStrings: [String] { Value.names.map(\.name) }
    static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }

    var defaultValueDescription: String { Value.names.first { $0.value == value }?.name ?? "" }
}
