package import Foundation
package import Messages

/// What happened beside the inbox, as a hook hands it over: one file of the spool.
package struct HookRecord: Hashable, Sendable, Codable {
  package enum Event: Hashable, Sendable, Codable {
    /// A program's hook; the text is its JSON, or whatever it handed over.
    case program(String)
    /// A command of a shell ended, after that many seconds; its status may be unknown.
    case command(String, status: Int32?, seconds: Int)
    /// The window of a pane rang.
    case bell
    /// Nothing was printed for a while.
    case silence
    /// The pane's program ended.
    case ended
    /// Somebody went to the pane.
    case looked
  }

  package var event: Event
  /// Milliseconds since 1970.
  package var at: Int64
  package var pane: TerminalPane?
  /// The folder in which it happened.
  package var directory: String?
  package var host: String?

  package init(
    _ event: Event, at: Date, pane: TerminalPane? = nil, directory: String? = nil, host: String? = nil
  ) {
    self.event = event
    // A clock that is wrong must not trap.
    self.at = Int64(min(max(at.timeIntervalSince1970 * 1000, -8e15), 8e15))
    self.pane = pane
    self.directory = directory
    self.host = host
  }

  package var date: Date { Date(timeIntervalSince1970: Double(at) / 1000) }
}
