import Basics
import Formats
import Foundation
import Messages

/// The input of a program's hook: one JSON object, whose keys differ from program to program.
struct ProgramHook: Hashable, Sendable {
  /// The state of the program.
  enum Phase: Hashable, Sendable {
    /// The program waits for the user.
    case waits
    /// The program continues, or is done: its request has ended.
    case goesOn
    case other
  }

  /// The program's name of the event; empty if there is none.
  var event: String
  var phase: Phase
  /// The last part of its folder, or `nil` if it is not known.
  var project: String?
  var folder: String?
  /// The session or thread, or `nil` if it is not known.
  var session: String?
  var title: String?
  /// The permission that it asks for.
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

  /// Whether the body begins with what the program says.
  private let hasMessage: Bool

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

  /// The request, or the last words of the program: `? make test`, `Needs your approval`, `✓ All tests pass`.
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

  /// `PermissionRequest` and `agent-turn-complete` in words: `permission request`, `agent turn complete`.
  private var eventWords: String {
    var words = ""
    for character in event {
      if character.isUppercase, let last = words.last, last != " ", !last.isUppercase { words += " " }
      words += character == "-" || character == "_" ? " " : character.lowercased()
    }
    return words
  }

  /// The id of a question; each has its own, since several tools may be asked for at once.
  static func questionID(_ session: String, _ id: String) -> RemoteID {
    RemoteID("hook:\(session):ask:\(id)")
  }

  static func isQuestion(_ id: RemoteID, of session: String) -> Bool {
    id.text.hasPrefix("hook:\(session):ask:")
  }

  /// Waiting twice is one message, whatever its program calls it.
  static func waitingID(_ session: String) -> RemoteID { RemoteID("hook:\(session):waiting") }
}
