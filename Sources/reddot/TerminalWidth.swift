import Foundation

/// The width of the terminal.
enum TerminalWidth {
  /// Of standard output; nil if it isn't a terminal or its width is unknown.
  static var ofOutput: Int? {
    var size = winsize()
    guard isatty(1) == 1, ioctl(1, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }
}
