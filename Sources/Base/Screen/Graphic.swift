/// A picture in pixels, for a terminal that can show it. It is drawn over half blocks, which remain visible if it
/// cannot be shown or is not loaded yet.
package struct Graphic: Sendable {
  package enum Pixels: Hashable, Sendable {
    /// Red, green, blue and alpha of each pixel, row by row, in Base64 (RFC 4648 section 4).
    case rgba(base64: [UInt8])
    /// The content of a sixel string, between `ESC P … q` and its end, checked and without control characters. `cell`
    /// is the size of a cell in pixels.
    case sixel([UInt8], cell: Size)
  }

  /// The number that distinguishes the pictures of one process.
  package let number: Int
  /// The size in cells, to which the terminal scales the picture.
  package let size: Size
  /// The number of pixels in a row, and the number of rows of pixels.
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

  /// The number of bytes in memory.
  package var byteCount: Int {
    switch pixels {
    case .rgba(let base64): base64.count
    case .sixel(let bytes, _): bytes.count
    }
  }

  /// Returns the lines of half blocks with the picture over them.
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

/// A part of a frame's row that shows a part of a picture.
package struct GraphicCells: Hashable, Sendable {
  package let row: Int
  package let columns: Range<Int>
  package let part: GraphicRow
  /// The column of the picture that the first of these cells shows.
  package let firstColumn: Int
}
