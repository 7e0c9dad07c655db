/// A picture in pixels, for a terminal that can show one. Its cells have half blocks too, which are shown where it
/// cannot be, or not yet.
package struct Graphic: Sendable {
  package enum Pixels: Hashable, Sendable {
    /// Red, green, blue and alpha of each pixel, row by row, in Base64 (RFC 4648 section 4).
    case rgba(base64: [UInt8])
    /// What stands between the beginning of a sixel string, `ESC P … q`, and its end: checked, without controls. Each
    /// cell is so many pixels wide and high.
    case sixel([UInt8], cell: Size)
  }

  /// Tells pictures of one process apart.
  package let number: Int
  /// In cells; the terminal scales it to them.
  package let size: Size
  /// The pixels of a row, and the rows of pixels.
  package let width: Int
  package let height: Int
  package let pixels: Pixels

  package init(number: Int, size: Size, width: Int, height: Int, pixels: Pixels) {
    self.number = number
    self.size = size
    self.width = width
    self.height = height
    self.pixels = pixels
  }

  /// The bytes that it takes in memory.
  package var byteCount: Int {
    switch pixels {
    case .rgba(let base64): base64.count
    case .sixel(let bytes, _): bytes.count
    }
  }

  /// The lines of half blocks with it in front of them.
  package func over(_ lines: [StyledText]) -> [StyledText] {
    lines.enumerated().map { row, line in
      line.padded(to: size.columns).beginning(GraphicRow(graphic: self, row: row))
    }
  }
}

extension Graphic: Hashable {
  package static func == (a: Graphic, b: Graphic) -> Bool { a.number == b.number }

  package func hash(into hasher: inout Hasher) { hasher.combine(number) }
}

/// A row of cells of a picture.
package struct GraphicRow: Hashable, Sendable {
  package let graphic: Graphic
  package let row: Int

  package init(graphic: Graphic, row: Int) {
    self.graphic = graphic
    self.row = row
  }
}

/// A part of a row of the frame that shows a part of a picture.
package struct GraphicCells: Hashable, Sendable {
  package let row: Int
  package let columns: Range<Int>
  package let part: GraphicRow
  /// The column of the picture that the first of them shows.
  package let firstColumn: Int
}
