/// An event from a terminal, or from the system.
package enum ScreenEvent: Hashable, Sendable {
  case input(InputEvent)
  /// The program was asked to end: SIGINT (Ctrl-C too), SIGTERM, SIGHUP (also when the terminal
  /// went away). It should close the terminal, and may end by raising the signal once more.
  case terminate(signal: Int32)
  /// The terminal answered that it draws signs of ambiguous width (UAX #11) with two columns.
  case signsAreWide
}
