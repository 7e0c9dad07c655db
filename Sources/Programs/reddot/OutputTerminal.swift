import Foundation

/// The terminal that standard output is.
enum OutputTerminal {
  /// In cells; nil if standard output isn't a terminal, or its size is unknown.
  static var size: (columns: Int, rows: Int)? {
    var size = winsize()
    guard isatty(1) == 1, ioctl(1, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return (Int(size.ws_col), Int(size.ws_row))
  }
}
