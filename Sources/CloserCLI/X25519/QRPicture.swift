internal import CloserSystem

/// A QR code as people and scanners see it, with the light margin that scanners need (ISO/IEC 18004 §6.3.8).
struct QRPicture {
    /// Four modules.
    private static let margin = 4
    /// How many pixels a module has in a bitmap: enough for a phone's camera in front of any screen.
    private static let scale = 8

    private let code: QRCode
    private let side: Int

    /// `bytes` must fit into a QR code, which those of a safety number always do.
    init(_ bytes: [UInt8]) {
        guard let code = QRCode(bytes) else { preconditionFailure("no QR code holds \(bytes.count) bytes") }
        (self.code, side) = (code, code.width + 2 * Self.margin)
    }

    /// Two rows of modules on each line of text, of which the light ones are drawn: as on paper if the text is light.
    ///
    /// With `isColoured`, each line says itself that it is white on black, so that a light terminal shows the same code.
    func text(isColoured: Bool) -> String {
        let lines = lines
        guard isColoured else { return lines.joined(separator: "\n") }
        return lines.map { "\u{1B}[40;97m\($0)\u{1B}[0m" }.joined(separator: "\n")
    }

    private var lines: [String] {
        stride(from: 0, to: side, by: 2).map { row in
            (0..<side).map { column in
                switch (isDark(row, column), row + 1 == side || isDark(row + 1, column)) {
                case (false, false): "█"
                case (false, true): "▀"
                case (true, false): "▄"
                case (true, true): " "
                }
            }.joined()
        }
    }

    /// An SVG document in UTF-8, with one user unit for each module.
    var svg: [UInt8] {
        let path = (0..<side).map(darkRuns).joined()
        return Array(
            """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(side) \(side)" width="\(side * Self.scale)" \
            height="\(side * Self.scale)" shape-rendering="crispEdges">\
            <rect width="\(side)" height="\(side)" fill="#fff"/><path d="\(path)"/></svg>
            """.utf8)
    }

    var png: [UInt8] {
        let pixels = side * Self.scale
        return PNG.bytes(width: pixels, height: pixels) { isDark($1 / Self.scale, $0 / Self.scale) }
    }

    private func darkRuns(_ row: Int) -> String {
        var path = ""
        var column = 0
        while column < side {
            let end = (column..<side).first { !isDark(row, $0) } ?? side
            if end > column { path += "M\(column) \(row)h\(end - column)v1h-\(end - column)z" }
            column = end + 1
        }
        return path
    }

    private func isDark(_ row: Int, _ column: Int) -> Bool {
        code.isDark(row: row - Self.margin, column: column - Self.margin)
    }
}
