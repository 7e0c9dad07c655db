import Basics
package import Screen

/// How the terminal shows pictures in pixels.
package enum GraphicFormat: Hashable, Sendable {
  /// By kitty's protocol; the terminal scales a picture to its cells.
  ///
  /// - Parameter cell: its pixels, where the terminal tells.
  case kitty(cell: Size?)
  /// As sixel, for cells of so many pixels.
  case sixel(cell: Size)
}

extension GraphicFormat {
  /// The pixels to ask for, for a picture in so many cells.
  ///
  /// - Parameter natural: the picture's own pixels, which are not enlarged; nil if they are not known.
  func pixels(for cells: Size, natural: PictureSize?) -> PictureSize {
    switch self {
    case .kitty(let cell):
      // Sizes that a font can have.
      let width = cells.columns * min(max(cell?.columns ?? 8, 4), 40)
      let height = cells.rows * min(max(cell?.rows ?? 16, 8), 80)
      let box = PictureSize(
        width: min(width, natural?.width ?? .max), height: min(height, natural?.height ?? .max))
      let share = Double(Limits.graphicPixels) / Double(max(1, box.width * box.height))
      let scale = share < 1 ? share.squareRoot() : 1
      return PictureSize(
        width: max(1, Int(Double(box.width) * scale)), height: max(1, Int(Double(box.height) * scale)))
    case .sixel(let cell):
      // It must fill its cells, which the terminal doesn't scale it to.
      return PictureSize(width: cells.columns * cell.columns, height: cells.rows * cell.rows)
    }
  }
}
