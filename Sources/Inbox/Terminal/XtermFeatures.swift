import Basics
import Screen

/// What ncurses does not send by itself, for terminals that follow xterm (its "Control Sequences").
struct XtermFeatures {
  let isXtermLike: Bool
  var usesMouse: Bool
  private let hasClipboard: Bool

  /// - Parameters:
  ///   - hasExtensions: terminfo's `XT`, which not every terminal that could sets.
  ///   - hasClipboard: terminfo's `Ms`, likewise.
  init(terminalType: String, hasExtensions: Bool, hasClipboard: Bool = false, usesMouse: Bool) {
    let known = KnownTerminal.ofType(terminalType)
    self.hasClipboard = hasClipboard || known?.hasClipboard ?? false
    isXtermLike = hasExtensions || known != nil
    self.usesMouse = usesMouse
  }

  // Buttons, with positions as decimal numbers; focus; bracketed paste.
  var enter: String {
    guard isXtermLike else { return "" }
    return (usesMouse ? Self.mouse : "") + "\u{1B}[?1004h\u{1B}[?2004h"
  }

  /// Draws a sign of ambiguous width (UAX #11), asks where the cursor is (DSR 6), and takes the sign away again. In the first row
  /// the answer could be the key F3 with modifiers.
  static let widthQuestion = "\u{1B}[2;1H\(Sign.dot.text(isASCII: false).text)\u{1B}[6n\u{1B}[2K"

  private static let mouse = "\u{1B}[?1000h\u{1B}[?1006h"
  private static let noMouse = "\u{1B}[?1006l\u{1B}[?1000l"

  /// Turns mouse reports on or off, by `usesMouse`.
  var switchMouse: String { isXtermLike ? usesMouse ? Self.mouse : Self.noMouse : "" }

  var leave: String {
    guard isXtermLike else { return "" }
    // Mouse reports too, even if off now: they may have been on before, or be again before the end.
    return "\u{1B}[?2004l\u{1B}[?1004l" + Self.noMouse
  }

  // Synchronized output, private mode 2026: the terminal shows what comes between the two at once.
  // One that does not know the mode ignores both, as xterm's rule for unknown modes is.
  var frameMarks: (begin: String, end: String) {
    isXtermLike ? ("\u{1B}[?2026h", "\u{1B}[?2026l") : ("", "")
  }

  // The title's place on the terminal's own stack of titles.
  var pushTitle: String { isXtermLike ? "\u{1B}[22;0t" : "" }
  var popTitle: String { isXtermLike ? "\u{1B}[23;0t" : "" }

  /// OSC 2. Characters that could end the sequence early or do more than set the title are left out.
  func title(_ text: String) -> String {
    guard isXtermLike else { return "" }
    var clean = String.UnicodeScalarView()
    var length = 0
    for scalar in text.unicodeScalars where !scalar.isControl {
      length += UTF8.width(scalar)
      if length > Limits.windowTitleBytes { break }
      clean.append(scalar)
    }
    return "\u{1B}]2;\(String(clean))\u{7}"
  }

  /// OSC 52; nil if the terminal doesn't support it, or if the text is too long.
  func copy(_ text: String, base64: ([UInt8]) -> String) -> String? {
    let bytes = Array(text.utf8)
    guard isXtermLike, hasClipboard, bytes.count <= Limits.copiedBytes else { return nil }
    return "\u{1B}]52;c;\(base64(bytes))\u{7}"
  }
}
