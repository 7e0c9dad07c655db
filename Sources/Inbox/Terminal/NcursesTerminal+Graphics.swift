package import Screen

extension NcursesTerminal {
  /// How pictures are shown in pixels now, and the pixels of a cell where the terminal tells; nil where they are not.
  package var graphicsFormat: (kind: GraphicsProtocol, cell: Size?)? {
    graphics == nil ? nil : options.graphics.map { ($0, streams.cellPixels) }
  }

  /// A picture has been sent, or cannot be.
  func presentAgain() {
    if let wanted { present(wanted) }
  }
}
