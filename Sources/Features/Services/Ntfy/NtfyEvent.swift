import Basics
import Formats
import Foundation
import Messages

/// An event that an ntfy server reports in one line of its response: a message, or the change of one.
struct NtfyEvent {
  /// The kind of an event; other kinds are ignored.
  enum Kind: String {
    case message
    /// The message was read elsewhere.
    case clear = "message_clear"
    /// The message was deleted elsewhere.
    case delete = "message_delete"
  }

  /// The number of the event's line in the response, from 1.
  var line: Int
  var kind: Kind
  var id: String
  /// The time in seconds since 1970.
  var time: Int
  var topic: String
  /// The id of the message that the event contains or changes. If a message is updated, each update has a separate
  /// event id.
  var sequence: String
  var fields: JSONFields

  /// Whether the event is a message with changed content.
  var isUpdate: Bool { kind == .message && sequence != id }
}

/// The events in the lines of one response.
struct NtfyLog {
  /// The events, in order of arrival.
  private(set) var events: [NtfyEvent] = []
  private var found = LimitedProblems(limit: Limits.nativeProblems)
  /// Whether at least one line is an object, or there are no lines.
  private(set) var isReadable = true

  /// Parses a response, and sorts its events.
  init(_ bytes: Data) {
    var objects = 0
    let allowance = Allowance(documentBytes: bytes.count)
    // A response that consists of blank lines needs no memory.
    for line in ByteLines(bytes) {
      do throws(JSONFailure) {
        let value = try JSONReader.parse(line.bytes)
        guard let object = value.object else {
          leaveOut([
            FormatProblem(at: "\(line.number)", message: "must be an object, not \(value.kindInWords)")
          ])
          continue
        }
        objects += 1
        // The cost is that of the event, its fields, and the message made of it.
        guard allowance.spend(4 * Limits.itemBytes + line.bytes.count) else {
          found.append(FormatProblem(at: "\(line.number)", message: allowance.sentence))
          break
        }
        add(JSONFields(object, at: "\(line.number)", lenient: true), ofLine: line.number)
      } catch {
        leaveOut([FormatProblem(at: "\(line.number)", message: "\(error.reason)")])
      }
    }
    isReadable = objects > 0 || found.all.isEmpty
    // Within a second, the server does not keep the order: a message comes before it is read, and is read before it is
    // changed.
    events.sort { ($0.time, Self.rank($0), $0.line) < ($1.time, Self.rank($1), $1.line) }
  }

  var problems: [FormatProblem] { found.all }

  mutating func removeEvents(where isKnown: (NtfyEvent) -> Bool) { events.removeAll(where: isKnown) }

  /// Returns the rank by which events that have the same time are ordered.
  private static func rank(_ event: NtfyEvent) -> Int {
    switch event.kind {
    case .message: event.isUpdate ? 2 : 0
    case .clear, .delete: 1
    }
  }

  /// Adds the event in a line, or a problem if it lacks a required member.
  private mutating func add(_ fields: JSONFields, ofLine line: Int) {
    var fields = fields
    guard let event = fields.text("event") else {
      if fields.problems.isEmpty { fields.report("event", "is missing") }
      return leaveOut(fields.problems)
    }
    // The other events have no message: open, keepalive, poll_request, and those of newer servers.
    guard let kind = NtfyEvent.Kind(rawValue: event) else { return }
    let id = fields.text("id")
    let time = fields.integer("time", in: 0...253_402_300_799)
    let topic = fields.text("topic") ?? ""
    let sequence = fields.text("sequence_id")
    if let id, let time, id.utf8.count <= Limits.remoteIDBytes,
      (sequence ?? id).utf8.count <= Limits.remoteIDBytes
    {
      events.append(
        NtfyEvent(
          line: line, kind: kind, id: id, time: time, topic: topic, sequence: sequence ?? id, fields: fields))
    } else if fields.problems.isEmpty {
      leaveOut([FormatProblem(at: fields.path, message: "it has no id or no time")])
    } else {
      leaveOut(fields.problems)
    }
  }

  /// Adds the problems of a line that is left out.
  private mutating func leaveOut(_ problems: [FormatProblem]) {
    problems.leavingOut.forEach { found.append($0) }
  }
}
