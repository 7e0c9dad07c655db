package import Screen

extension NcursesTerminal {
  /// The present format of pictures in pixels, and the pixels of a cell if the terminal reports them; `nil` if pictures
  /// are not shown in pixels.
  package var graphicsFormat: (kind: GraphicsProtocol, cell: Size?)? {
    graphics == nil ? nil : options.graphics.map { ($0, streams.cellPixels) }
  }

  /// Shows the last frame again, since a picture has been sent, or cannot be.
  func presentAgain() {
    if let wanted { present(wanted) }
  }
}
