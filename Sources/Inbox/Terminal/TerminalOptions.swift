import Basics

/// Options from the environment and the settings.
package struct TerminalOptions: Sendable {
  /// The value of `TERM`; nil where it is not set.
  package var terminalType: String?
  /// Whether the environment's locale is UTF-8, installed or not.
  package var namesUTF8: Bool
  /// False if `NO_COLOR` is set and not empty: then only attributes.
  package var usesColors: Bool
  /// A terminal that reports the mouse keeps it from selecting text, unless Shift is held.
  package var usesMouse: Bool
  /// False for terminals that call themselves xterm and take no OSC 52.
  package var usesClipboard: Bool
  /// Whether links of a frame are links of the terminal, which must have OSC 8.
  package var usesHyperlinks: Bool
  /// Whether the terminal is asked once how many columns a sign of ambiguous width takes.
  package var asksForWidth: Bool
  /// How the terminal takes pictures in pixels; nil where it doesn't.
  package var graphics: GraphicsProtocol?
  /// How notices are shown.
  package var notices: NoticeSupport
  /// How long an Escape waits for the rest of a key's sequence.
  package var escapeDelay: Duration
  /// The longest time between the two clicks of a double click.
  package var doubleClick: Duration
  /// The most bytes of a paste that are reported; the rest is dropped.
  package var pasteLimit: Int
  /// A clock that never goes back, from any origin.
  package var now: TerminalTime
  /// Runs the stop of the process while no write is under way, so that other processes don't wait until it continues.
  package var stopping: @MainActor (() -> Void) -> Void

  package init(
    terminalType: String?, namesUTF8: Bool = false, usesColors: Bool = true, usesMouse: Bool = true,
    usesClipboard: Bool = true, usesHyperlinks: Bool = false, asksForWidth: Bool = false,
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
    self.graphics = graphics
    self.notices = notices
    self.escapeDelay = escapeDelay
    self.doubleClick = doubleClick
    self.pasteLimit = pasteLimit
    self.now = now
    self.stopping = stopping
  }
}

package typealias TerminalTime = @Sendable () -> Duration

/// Why the terminal cannot be used.
package enum TerminalFailure: Error, Hashable, Sendable {
  package enum Stream: Hashable, Sendable {
    case input, output
  }

  /// Standard input or output is a pipe, a file or closed.
  case notATerminal(Stream)
  /// `TERM` is not set, or empty.
  case noTerminalType
  /// The system doesn't have a description of this terminal.
  case unknownTerminalType(String)
  /// The terminal cannot move its cursor (`dumb`).
  case unusableTerminalType(String)
  /// Another `NcursesTerminal` of this process has the screen.
  case alreadyOpen
  /// The system refused something; `code` is its errno.
  case system(code: Int32)
}
