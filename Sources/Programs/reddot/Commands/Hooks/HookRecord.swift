import Foundation
import Messages

/// An event outside of the inbox that a hook reports: one file of the spool.
struct HookRecord: Hashable, Sendable, Codable {
  enum Event: Hashable, Sendable, Codable {
    /// A program started its hook; the text is the hook's JSON, or any other input.
    case program(String)
    /// A command of a shell ended after a number of seconds; its status may be unknown.
    case command(String, status: Int32?, seconds: Int)
    /// The bell of a pane's window rang.
    case bell
    /// The pane printed nothing for a while.
    case silence
    /// The pane's program ended.
    case ended
    /// The user went to the pane.
    case looked
  }

  var event: Event
  /// The time, in milliseconds since 1970.
  var at: Int64
  var pane: TerminalPane?
  /// The folder of the event.
  var directory: String?
  var host: String?

  init(
    _ event: Event, at: Date, pane: TerminalPane? = nil, directory: String? = nil, host: String? = nil
  ) {
    self.event = event
    // A wrong clock must not trap.
    self.at = Int64(min(max(at.timeIntervalSince1970 * 1000, -8e15), 8e15))
    self.pane = pane
    self.directory = directory
    self.host = host
  }

  var date: Date { Date(timeIntervalSince1970: Double(at) / 1000) }
}
