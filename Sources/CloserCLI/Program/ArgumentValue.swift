internal import ArgumentParser

// Options and arguments by their help and by what the help calls their value. The value of most is a file.

extension Option where Value: ExpressibleByArgument {
    init(_ help: String, value: String) { self.init(help: ArgumentHelp(help, valueName: value)) }

    init(file help: String) { self.init(help: .file(help), completion: .file()) }
}

extension Option {
    init<Given: ExpressibleByArgument>(_ help: String, value: String) where Value == Given? {
        self.init(help: ArgumentHelp(help, valueName: value))
    }

    init<Given: ExpressibleByArgument>(file help: String) where Value == Given? {
        self.init(help: .file(help), completion: .file())
    }
}

extension Argument where Value: ExpressibleByArgument {
    init(file help: String) { self.init(help: .file(help), completion: .file()) }
}

extension Argument {
    init<Given: ExpressibleByArgument>(file help: String) where Value == Given? {
        self.init(help: .file(help), completion: .file())
    }
}

extension ArgumentHelp {
    fileprivate static func file(_ help: String) -> Self { Self(help, valueName: "file") }
}
