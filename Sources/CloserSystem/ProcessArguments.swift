/// The arguments of this process.
package enum ProcessArguments {
    /// Without the program's name; nil if one of them is not UTF-8. `CommandLine.arguments` would repair it, and
    /// two different contexts would become one.
    package static var all: [String]? {
        let count = Int(CommandLine.argc)
        let texts = (0..<count).map { index in
            unsafe CommandLine.unsafeArgv[index].flatMap { unsafe String(validatingCString: $0) }
        }
        return texts.contains(nil) ? nil : Array(texts.compactMap(\.self).dropFirst())
    }
}
