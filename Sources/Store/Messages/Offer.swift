/// Something on this machine that can be followed, found while nothing is followed yet.
package enum Offer: Hashable, Sendable {
  /// The feeds of newsboat: the folder of its file `urls`, and the number of feeds in it.
  case newsboat(folder: String, feeds: Int)
  /// GitHub, where its program gh is logged in.
  case github
  /// The commands of a shell that take long, by the shell's name.
  case shell(String)
  /// Bells and ended programs of the tmux in which the inbox runs.
  case tmux
  /// Notifications of other programs, and the daemon that shows them.
  case desktop(daemon: String)
}
