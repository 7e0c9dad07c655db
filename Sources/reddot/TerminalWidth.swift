import Foundation

/// How wide the terminal is that somebody reads.
enum TerminalWidth {
  /// Of standard output; nil where it is not a terminal, or one that does not say.
  static var ofOutput: Int? {
    var size = winsize()
    guard isatty(1) == 1, ioctl(1, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }
}
