package import Screen

/// The interface of the terminal for the inbox; implemented with ncurses, and by tests.
@MainActor
package protocol InboxScreen: AnyObject {
  var size: Size { get }
  /// Whether the screen shows characters other than ASCII.
  var isUTF8: Bool { get }
  /// Whether the terminal is known to draw symbols of ambiguous width (UAX #11) with two columns; `signsAreWide`
  /// reports a change.
  var hasWideSigns: Bool { get }
  /// The colours of the terminal, if the user wants any.
  var colors: ColorDepth { get }
  /// The background of the terminal, or `nil` if it is not known; `backgroundIsKnown` reports a change.
  var background: Background? { get }
  /// The colours for pictures, or `nil` if the terminal has too few.
  var pictureColors: PictureRenderer.Colors? { get }
  /// The format of pictures in pixels, or `nil` if the terminal shows none.
  var graphicFormat: GraphicFormat? { get }
  /// Whether animations are allowed; `false` on a slow connection, or by the user's choice.
  var allowsMotion: Bool { get }
  /// Passes the events of each reading of input to a listener from now on, or to none if it is `nil`. A key is handled
  /// where it is read: through a stream, it would wait for two threads to wake up.
  func listen(_ listener: (@MainActor ([ScreenEvent]) -> Void)?)

  func present(_ frame: Frame)
  func redraw()
  func ringBell()
  /// Whether a notification can be replaced by one with the same id, and withdrawn.
  var hasIdentifiedNotices: Bool { get }
  /// Shows a notification, or rings the bell if the terminal isn't known to show any.
  func show(_ notice: ScreenNotice)
  /// Withdraws a notification by its id.
  func withdrawNotice(_ id: String)
  /// Lets the terminal report its mouse from now on, or use it for selecting text.
  func reportMouse(_ isReported: Bool)
  /// Copies text to the clipboard.
  ///
  /// - Returns: `false` if the terminal does not support it, or the text is too long.
  func copyToClipboard(_ text: String) -> Bool
  /// Releases the terminal for another program; until `resume` there are no events, and frames are not drawn.
  func lend()
  /// Uses the terminal again and draws the last frame.
  func resume()
  /// Restores the terminal for the shell and stops the process until `fg`.
  func suspendProcess()
  /// Restores the terminal finally; may be called twice. Later frames are not drawn.
  func close()
}

/// The defaults for a screen without separate notifications.
extension InboxScreen {
  package var hasIdentifiedNotices: Bool { false }
  package func show(_ notice: ScreenNotice) { ringBell() }
  package func withdrawNotice(_ id: String) {}
}

/// The defaults for a screen whose abilities are not examined.
extension InboxScreen {
  package var graphicFormat: GraphicFormat? { nil }
  package var isUTF8: Bool { true }
  package var hasWideSigns: Bool { false }
  package var colors: ColorDepth { .direct }
  package var background: Background? { nil }
}
