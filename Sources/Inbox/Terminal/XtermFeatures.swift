import Basics
import Screen

/// Features that ncurses does not send, for terminals that follow xterm (its "Control Sequences").
struct XtermFeatures {
  let isXtermLike: Bool
  var usesMouse: Bool
  private let hasClipboard: Bool

  /// - Parameters:
  ///   - hasExtensions: terminfo's `XT`, which some capable terminals lack.
  ///   - hasClipboard: terminfo's `Ms`, which some capable terminals lack, too.
  init(terminalType: String, hasExtensions: Bool, hasClipboard: Bool = false, usesMouse: Bool) {
    let known = KnownTerminal.ofType(terminalType)
    self.hasClipboard = hasClipboard || known?.hasClipboard ?? false
    isXtermLike = hasExtensions || known != nil
    self.usesMouse = usesMouse
  }

  /// The sequence that turns on mouse buttons with decimal positions, focus reports, and bracketed paste.
  var enter: String {
    guard isXtermLike else { return "" }
    return (usesMouse ? Self.mouse : "") + "\u{1B}[?1004h\u{1B}[?2004h"
  }

  /// The sequence that draws a symbol of ambiguous width (UAX #11), requests the position of the cursor (DSR
  /// 6), and erases the symbol. It uses the second row, since for the first row the response could be the key
  /// F3 with modifiers.
  static let widthQuestion = "\u{1B}[2;1H\(Sign.dot.text(isASCII: false).text)\u{1B}[6n\u{1B}[2K"

  /// The sequence that requests the colour of the background (OSC 11).
  static let backgroundQuestion = "\u{1B}]11;?\u{7}"

  private static let mouse = "\u{1B}[?1000h\u{1B}[?1006h"
  private static let noMouse = "\u{1B}[?1006l\u{1B}[?1000l"

  /// The sequence that turns mouse reports on or off, according to `usesMouse`.
  var switchMouse: String { isXtermLike ? usesMouse ? Self.mouse : Self.noMouse : "" }

  /// The sequence that turns off everything that `enter` and `switchMouse` turn on.
  var leave: String {
    guard isXtermLike else { return "" }
    // Mouse reports are included even if they are off now: they may have been on before, or be again before the end.
    return "\u{1B}[?2004l\u{1B}[?1004l" + Self.noMouse
  }

  /// The sequences before and after a frame (synchronized output, private mode 2026): the terminal shows everything
  /// between the two at the same time. A terminal that does not know the mode ignores both, according to xterm's rule
  /// for unknown modes.
  var frameMarks: (begin: String, end: String) {
    isXtermLike ? ("\u{1B}[?2026h", "\u{1B}[?2026l") : ("", "")
  }

  /// The sequence that saves the title on the terminal's own stack of titles.
  var pushTitle: String { isXtermLike ? "\u{1B}[22;0t" : "" }
  var popTitle: String { isXtermLike ? "\u{1B}[23;0t" : "" }

  /// Returns the sequence that sets the title (OSC 2). Characters that could end the sequence early or do more than set
  /// the title are left out.
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

  /// Returns the sequence that copies text to the clipboard (OSC 52), or `nil` if the terminal doesn't support it, or
  /// if the text is too long.
  func copy(_ text: String, base64: ([UInt8]) -> String) -> String? {
    let bytes = Array(text.utf8)
    guard isXtermLike, hasClipboard, bytes.count <= Limits.copiedBytes else { return nil }
    return "\u{1B}]52;c;\(base64(bytes))\u{7}"
  }
}
