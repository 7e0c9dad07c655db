/// An event from a terminal, or from the system.
package enum ScreenEvent: Hashable, Sendable {
  case input(InputEvent)
  /// The program must end after SIGINT (also from Ctrl-C), SIGTERM or SIGHUP (also if the terminal has gone). It should
  /// close the terminal, and may end by raising the signal again.
  case terminate(signal: Int32)
  /// The terminal reported that it draws symbols of ambiguous width (UAX #11) with two columns.
  case signsAreWide
  /// The terminal answered which background it has.
  case backgroundIsKnown
}
