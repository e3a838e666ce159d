import Foundation

extension Double {
    /// Three digits that count: 0.612, 55.3, 7320.
    var digits: String {
        let size = magnitude
        return String(format: "%.\(size < 1 ? 3 : size < 10 ? 2 : size < 100 ? 1 : 0)f", self)
    }

    var tenths: String { String(format: "%.1f", self) }

    /// As it was written in the source: 8000, 1.15.
    var plain: String { self == rounded() ? "\(Int(self))" : String(format: "%g", self) }
}
