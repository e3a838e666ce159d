/// What the caller asked for.
struct Options {
    static let usage = """
        usage: bench [--program PATH] [--python PATH] [--second PATH] [--results FOLDER] [--once]
               bench --serve
               bench --peak COMMAND [ARGUMENT ...]

          --program PATH    time commands of this closer-keys
          --python PATH     let this Python run tink_peer.py; it needs the package tink
          --second PATH     race with this bench, which is built with the trait CryptoKit
          --results FOLDER  also write RESULTS.md and results.json there
          --once            give each piece of work one turn: the times mean nothing
          --serve           be the one that another bench races with
          --peak            run a command, and print the most bytes of memory that it had
        """

    private(set) var program: String?
    private(set) var python: String?
    private(set) var second: String?
    private(set) var results: String?
    private(set) var isServer = false
    private(set) var peak: Command?

    /// Nil for an option that there is none of, or one without its value.
    init?(parsing arguments: some Sequence<String>) {
        var rest = arguments.makeIterator()
        while let option = rest.next() {
            if option == "--peak" {
                peak = Command(arguments: Array(IteratorSequence(rest)))
                return
            } else if option == "--serve" {
                isServer = true
            } else if option == "--once" {
                continue
            } else if let value = rest.next(), let member = Self.paths[option] {
                self[keyPath: member] = value
            } else {
                return nil
            }
        }
    }

    private static var paths: [String: WritableKeyPath<Options, String?>] {
        ["--program": \.program, "--python": \.python, "--second": \.second, "--results": \.results]
    }
}
