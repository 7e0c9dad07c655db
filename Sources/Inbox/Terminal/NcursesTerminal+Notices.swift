import CNcurses
package import Screen

extension NcursesTerminal {
  package func ringBell() {
    guard isOurs else { return }
    beep()
  }

  /// Whether a notification can be replaced by one with the same id, and withdrawn.
  package var hasIdentifiedNotices: Bool { options.notices.hasIdentity }

  /// Shows a notification. The bell rings if the terminal isn't known to show any, and inside tmux, which may drop it.
  package func show(_ notice: ScreenNotice) {
    guard isOurs else { return }
    streams.send(options.notices.sequence(for: notice))
    if options.notices.code == nil || options.notices.isInTmux { beep() }
  }

  package func withdrawNotice(_ id: String) {
    if isOurs { streams.send(options.notices.closing(id)) }
  }
}
