import Foundation

extension Double {
    /// Three digits that count: 0.612, 55.3, 7320.
    var digits: String {
        String(format: "%.\(self < 1 ? 3 : self < 10 ? 2 : self < 100 ? 1 : 0)f", self)
    }

    /// As it was written in the source: 8000, 1.15.
    var plain: String { String(format: "%g", self) }
}
