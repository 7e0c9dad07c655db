import Basics
import Formats
import Foundation
import Messages

/// The input that a program gives to its hook: one JSON object, whose keys differ from program to program.
struct ProgramHook: Hashable, Sendable {
  /// The state of the program.
  enum Phase: Hashable, Sendable {
    /// The program waits for the user.
    case waits
    /// The program continues, or is done: its request has ended.
    case goesOn
    case other
  }

  /// The program's name for the event; empty if there is none.
  var event: String
  var phase: Phase
  /// The name of the program's folder, without the folders that contain it, or `nil` if it is not known.
  var project: String?
  var folder: String?
  /// The id of the program's session or thread, or `nil` if it is not known.
  var session: String?
  var title: String?
  /// The permission that the program asks for, or `nil` if it asks for none.
  var request: ProgramRequest?
  var body: String

  /// - Parameters:
  ///   - text: the input; if it isn't a JSON object, it is the body.
  ///   - directory: the folder of the hook, for an object that names none.
  init(_ text: String, directory: String?) {
    let object = (try? JSONReader.parse(text))?.object
    func value(_ keys: [String]) -> String? {
      for key in keys {
        if let text = object?[key]?.text, !text.allSatisfy(\.isWhitespace) { return text }
      }
      return nil
    }
    event = value(["hook_event_name", "type", "event"]) ?? ""
    session = value(["session_id", "thread-id", "thread_id", "session"])
    title = value(["title"])
    folder = value(["cwd", "directory"]) ?? directory
    project = folder?.split(onBytes: "/").last.map(String.init)
    phase = Self.phase(event)
    if Self.requests.contains(Self.letters(event)) { request = object.flatMap(ProgramRequest.init) }
    let message = value([
      "message", "last-assistant-message", "last_assistant_message", "body", "text", "error", "error_type",
      "notification_type",
    ])
    body = message ?? object.map { _ in "" } ?? text.trimmingCharacters(in: .whitespacesAndNewlines)
    if let request {
      let place = [folder, session.map { "job \($0)" }].compactMap(\.self).joined(separator: ", ")
      let parts = [body, request.lines.joined(separator: "\n"), place]
      body = parts.filter { !$0.isEmpty }.joined(separator: "\n\n")
    } else if body.isEmpty, let object {
      let known: Set<String> = [
        "hook_event_name", "type", "event", "session_id", "thread-id", "thread_id", "session", "title", "cwd",
        "directory",
      ]
      let others = object.members.filter { !known.contains($0.key) && $0.value != .string("") }
      if !others.isEmpty { body = JSONValue.object(JSONObject(others)).serialized(pretty: true) }
    }
    hasMessage = message != nil
  }

  /// Whether the body begins with a message of the program.
  private let hasMessage: Bool

  /// The events that ask for a permission, in the form of `letters`.
  private static let requests: Set<String> = ["permissionrequest", "approvalrequested", "elicitation"]

  private static func phase(_ event: String) -> Phase {
    switch letters(event) {
    case "notification", "permissionrequest", "elicitation", "approvalrequested", "idleprompt",
      "userinputrequested", "waiting":
      .waits
    case "stop", "agentturncomplete", "userpromptsubmit", "sessionstart", "sessionend", "posttooluse", "done",
      "resumed":
      .goesOn
    case _: .other
    }
  }

  /// Returns the name of an event in lowercase letters, without other characters: programs write the same names
  /// differently.
  private static func letters(_ event: String) -> String { event.lowercased().filter(\.isLetter) }

  /// Whether the event only shows that the program continues, so that it makes no message.
  var isOnlyProgress: Bool {
    [
      "userpromptsubmit", "sessionstart", "sessionend", "pretooluse", "posttooluse", "posttoolusefailure",
      "precompact", "postcompact", "subagentstart", "subagentstop", "resumed",
    ]
    .contains(Self.letters(event))
  }

  var endsSession: Bool { Self.letters(event) == "sessionend" }

  /// The title of the message: the request, or the first or last line of the program's message, for example `? make
  /// test`, `Needs your approval`, `✓ All tests pass`.
  var sentence: String {
    if let request { return "? \(request.title.inOneLine)" }
    let lines = hasMessage ? body.exactLines.filter { !$0.allSatisfy(\.isWhitespace) } : []
    switch phase {
    case .waits: return lines.first.map { String($0) } ?? title ?? eventWords
    case .goesOn: return "✓ " + (lines.last.map { String($0) } ?? title ?? "Done")
    case .other:
      return title ?? (event.isEmpty ? lines.first.map { String($0) } ?? "" : eventWords)
    }
  }

  /// The event's name in words: `PermissionRequest` and `agent-turn-complete` become `permission request` and `agent
  /// turn complete`.
  private var eventWords: String {
    var words = ""
    for character in event {
      if character.isUppercase, let last = words.last, last != " ", !last.isUppercase { words += " " }
      words += character == "-" || character == "_" ? " " : character.lowercased()
    }
    return words
  }

  /// Returns the id of a question. Each question of a session has a separate id, since a program may ask for several
  /// tools at the same time.
  static func questionID(_ session: String, _ id: String) -> RemoteID {
    RemoteID("hook:\(session):ask:\(id)")
  }

  /// Whether a message with this id is a question of a session.
  static func isQuestion(_ id: RemoteID, of session: String) -> Bool {
    id.text.hasPrefix("hook:\(session):ask:")
  }

  /// Returns the id of the message about a waiting program. If the program reports twice that it waits, there is one
  /// message, whatever the events are called.
  static func waitingID(_ session: String) -> RemoteID { RemoteID("hook:\(session):waiting") }
}
