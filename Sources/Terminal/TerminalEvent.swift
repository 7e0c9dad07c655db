package import Screen

/// What the terminal, or the system on its behalf, tells the program.
package enum TerminalEvent: Hashable, Sendable {
  case input(InputEvent)
  /// The program was asked to end: SIGINT (Ctrl-C too), SIGTERM, SIGHUP (also when the terminal
  /// went away). It should close the terminal, and may end by raising the signal once more.
  case terminate(signal: Int32)
}
