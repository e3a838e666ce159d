/// What the caller asked for.
struct Options {
    static let usage = """
        usage: bench [--program PATH] [--python PATH] [--markdown]

          --program PATH  time commands of this closer-keys
          --python PATH   let this Python run tink_peer.py; it needs the package tink
          --markdown      print the table in Markdown
        """

    private(set) var program: String?
    private(set) var python: String?
    private(set) var isMarkdown = false

    /// Nil for an option that there is none of, or one without its value.
    init?(parsing arguments: some Sequence<String>) {
        var rest = arguments.makeIterator()
        while let option = rest.next() {
            if option == "--markdown" {
                isMarkdown = true
            } else if let value = rest.next(), let member = Self.paths[option] {
                self[keyPath: member] = value
            } else {
                return nil
            }
        }
    }

    private static var paths: [String: WritableKeyPath<Options, String?>] {
        ["--program": \.program, "--python": \.python]
    }
}
