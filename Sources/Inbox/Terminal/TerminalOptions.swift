import Basics

/// The options of `NcursesTerminal`, from the environment and the settings.
package struct TerminalOptions: Sendable {
  /// The value of `TERM`, or `nil` if it is not set.
  package var terminalType: String?
  /// Whether the environment's locale is UTF-8, installed or not.
  package var namesUTF8: Bool
  /// Whether colours are used; `false` if `NO_COLOR` is set and not empty. Then only attributes are used.
  package var usesColors: Bool
  /// Whether the terminal reports the mouse, so that it selects text only while Shift is held.
  package var usesMouse: Bool
  /// Whether OSC 52 is used; `false` for terminals that call themselves xterm but don't accept it.
  package var usesClipboard: Bool
  /// Whether links of a frame are links of the terminal, which must have OSC 8.
  package var usesHyperlinks: Bool
  /// Whether the terminal is queried once for the number of columns of a symbol of ambiguous width.
  package var asksForWidth: Bool
  /// Whether the colour of the background is requested once from a terminal with 256 colours.
  package var asksForBackground: Bool
  /// The protocol for pictures in pixels, or `nil` if the terminal accepts none.
  package var graphics: GraphicsProtocol?
  /// The way in which notifications are shown.
  package var notices: NoticeSupport
  /// The time that an Escape waits for the rest of a key's sequence.
  package var escapeDelay: Duration
  /// The maximum time between the two clicks of a double click.
  package var doubleClick: Duration
  /// The maximum number of bytes of a paste that are reported; the rest is dropped.
  package var pasteLimit: Int
  /// A monotonic clock, from any origin.
  package var now: TerminalTime
  /// Stops the process while no write is under way, so that other processes don't wait until it continues.
  package var stopping: @MainActor (() -> Void) -> Void

  package init(
    terminalType: String?, namesUTF8: Bool = false, usesColors: Bool = true, usesMouse: Bool = true,
    usesClipboard: Bool = true, usesHyperlinks: Bool = false, asksForWidth: Bool = false,
    asksForBackground: Bool = false,
    graphics: GraphicsProtocol? = nil,
    notices: NoticeSupport = NoticeSupport(code: nil), escapeDelay: Duration = .milliseconds(25),
    doubleClick: Duration = .milliseconds(400),
    pasteLimit: Int = Limits.pasteBytes, now: @escaping TerminalTime,
    stopping: @escaping @MainActor (() -> Void) -> Void = { stop in stop() }
  ) {
    self.terminalType = terminalType
    self.namesUTF8 = namesUTF8
    self.usesColors = usesColors
    self.usesMouse = usesMouse
    self.usesClipboard = usesClipboard
    self.usesHyperlinks = usesHyperlinks
    self.asksForWidth = asksForWidth
    self.asksForBackground = asksForBackground
    self.graphics = graphics
    self.notices = notices
    self.escapeDelay = escapeDelay
    self.doubleClick = doubleClick
    self.pasteLimit = pasteLimit
    self.now = now
    self.stopping = stopping
  }
}

/// A monotonic clock: returns the time since any fixed origin.
package typealias TerminalTime = @Sendable () -> Duration

/// The reason why the terminal cannot be used.
package enum TerminalFailure: Error, Hashable, Sendable {
  package enum Stream: Hashable, Sendable {
    case input, output
  }

  /// A stream that is a pipe, a file or closed, and not a terminal.
  case notATerminal(Stream)
  /// `TERM` is not set, or empty.
  case noTerminalType
  /// The system doesn't have a description of this terminal.
  case unknownTerminalType(String)
  /// The terminal cannot move its cursor (`dumb`).
  case unusableTerminalType(String)
  /// Another `NcursesTerminal` of this process has the screen.
  case alreadyOpen
  /// The system refused a call; `code` is its errno.
  case system(code: Int32)
}
