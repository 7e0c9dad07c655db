package import Screen

/// The interface of the terminal for the inbox; implemented with ncurses, and by tests.
@MainActor
package protocol InboxScreen: AnyObject {
  var size: Size { get }
  /// Whether it shows other characters than ASCII.
  var isUTF8: Bool { get }
  /// Whether it is known to draw signs of ambiguous width (UAX #11) with two columns; `signsAreWide` says when that changes.
  var hasWideSigns: Bool { get }
  /// Whether it has any colours, and whoever uses it wants them.
  var hasColors: Bool { get }
  /// The colours for pictures; nil if the terminal has too few.
  var pictureColors: PictureRenderer.Colors? { get }
  /// How it shows pictures in pixels; nil if it doesn't.
  var graphicFormat: GraphicFormat? { get }
  /// False if there should be no animations: a slow connection, or the user's choice.
  var allowsMotion: Bool { get }
  /// Hands over the events of each time that input was read, from now on; nobody gets them any more if it is nil. A key
  /// is handled where it is read: through a stream, it would wait for two threads to wake up.
  func listen(_ listener: (@MainActor ([ScreenEvent]) -> Void)?)

  func present(_ frame: Frame)
  func redraw()
  func ringBell()
  /// Whether a notice can be replaced by one with the same id, and taken back.
  var hasIdentifiedNotices: Bool { get }
  /// Shows a notice, or rings the bell where the terminal isn't known to show any.
  func show(_ notice: ScreenNotice)
  /// Takes a notice back, by its id.
  func withdrawNotice(_ id: String)
  /// Whether the terminal reports its mouse from now on, or uses it for selecting text.
  func reportMouse(_ isReported: Bool)
  /// - Returns: false if the terminal does not support it, or the text is too long.
  func copyToClipboard(_ text: String) -> Bool
  /// Releases the terminal for another program; until `resume` there are no events, and frames are not drawn.
  func lend()
  /// Uses the terminal again and draws the last frame.
  func resume()
  /// Restores the terminal for the shell and stops the process until `fg`.
  func suspendProcess()
  /// Restores the terminal for good; may be called twice. Later frames are not drawn.
  func close()
}

/// A screen without notices of its own.
extension InboxScreen {
  package var hasIdentifiedNotices: Bool { false }
  package func show(_ notice: ScreenNotice) { ringBell() }
  package func withdrawNotice(_ id: String) {}
}

extension InboxScreen {
  package var graphicFormat: GraphicFormat? { nil }
  package var isUTF8: Bool { true }
  package var hasWideSigns: Bool { false }
  package var hasColors: Bool { true }
}
