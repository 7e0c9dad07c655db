import Basics
package import Screen

/// The format in which the terminal shows pictures in pixels.
package enum GraphicFormat: Hashable, Sendable {
  /// kitty's protocol; the terminal scales a picture to its cells.
  ///
  /// - Parameter cell: the pixels of a cell, if the terminal reports them.
  case kitty(cell: Size?)
  /// Sixel. `cell` is the size of a terminal cell in pixels.
  case sixel(cell: Size)
}

extension GraphicFormat {
  /// Returns the size in pixels to request for a picture with a size in cells.
  ///
  /// - Parameter natural: the picture's own size in pixels, which is not enlarged, or `nil` if it is not known.
  func pixels(for cells: Size, natural: PictureSize?) -> PictureSize {
    switch self {
    case .kitty(let cell):
      // These are sizes that a font can have.
      let width = cells.columns * min(max(cell?.columns ?? 8, 4), 40)
      let height = cells.rows * min(max(cell?.rows ?? 16, 8), 80)
      let box = PictureSize(
        width: min(width, natural?.width ?? .max), height: min(height, natural?.height ?? .max))
      let share = Double(Limits.graphicPixels) / Double(max(1, box.width * box.height))
      let scale = share < 1 ? share.squareRoot() : 1
      return PictureSize(
        width: max(1, Int(Double(box.width) * scale)), height: max(1, Int(Double(box.height) * scale)))
    case .sixel(let cell):
      // The picture must fill its cells, since the terminal does not scale it.
      return PictureSize(width: cells.columns * cell.columns, height: cells.rows * cell.rows)
    }
  }
}
