import Foundation
import Messages

/// What happened beside the inbox, as a hook hands it over: one file of the spool.
struct HookRecord: Hashable, Sendable, Codable {
  enum Event: Hashable, Sendable, Codable {
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

  var event: Event
  /// Milliseconds since 1970.
  var at: Int64
  var pane: TerminalPane?
  /// The folder in which it happened.
  var directory: String?
  var host: String?

  init(
    _ event: Event, at: Date, pane: TerminalPane? = nil, directory: String? = nil, host: String? = nil
  ) {
    self.event = event
    // A clock that is wrong must not trap.
    self.at = Int64(min(max(at.timeIntervalSince1970 * 1000, -8e15), 8e15))
    self.pane = pane
    self.directory = directory
    self.host = host
  }

  var date: Date { Date(timeIntervalSince1970: Double(at) / 1000) }
}
