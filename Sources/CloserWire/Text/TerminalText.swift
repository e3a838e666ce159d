extension Unicode.Scalar {
    /// Whether it does more to a terminal than show: a control character, or one that turns the direction of what follows.
    package var steersTerminal: Bool {
        switch value {
        case 0x202A...0x202E, 0x2066...0x2069: true
        default: properties.generalCategory == .control
        }
    }

    /// The line ends that are no control characters.
    fileprivate var endsLine: Bool { value == 0x2028 || value == 0x2029 }
}

extension String {
    /// One line that steers no terminal: U+FFFD stands for what would, and for what would end the line.
    package var plainLine: String {
        String(
            String.UnicodeScalarView(
                unicodeScalars.map { $0.steersTerminal || $0.endsLine ? "\u{FFFD}" : $0 }))
    }
}
