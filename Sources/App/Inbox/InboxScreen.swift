package import Screen

/// The terminal as the inbox needs it; ncurses stands behind it, or a test.
@MainActor
package protocol InboxScreen: AnyObject {
  var size: Size { get }
  /// The colours that a picture may have; nil where there are too few for any.
  var pictureColors: PictureRenderer.Colors? { get }
  /// False where nothing should move by itself: a slow line, or somebody who asked for it.
  var allowsMotion: Bool { get }
  /// What came since the last batch. Waiting for it costs nothing.
  var events: AsyncStream<[ScreenEvent]> { get }

  func present(_ frame: Frame)
  func redraw()
  func ringBell()
  /// From now on the terminal reports its mouse, or keeps it for selecting text.
  func reportMouse(_ isReported: Bool)
  /// - Returns: false where the terminal cannot be told, or the text is too long for it.
  func copyToClipboard(_ text: String) -> Bool
  /// Gives the terminal to another program; no events come until `takeBack`, and what is presented waits.
  func lend()
  /// Takes it back from that program and shows the last frame again.
  func takeBack()
  /// Gives the terminal back to the shell and stops the process until `fg`.
  func suspendProcess()
  /// Gives the terminal back for good; harmless a second time. What is presented afterwards is not shown.
  func close()
}

package enum ScreenEvent: Hashable, Sendable {
  case input(InputEvent)
  /// The program was asked to end by a signal.
  case terminate(signal: Int32)
}
