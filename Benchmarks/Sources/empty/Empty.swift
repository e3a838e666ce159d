import ArgumentParser

/// A program with one command that does nothing: whoever parses arguments in Swift cannot start faster.
@main
struct Empty: ParsableCommand {}
