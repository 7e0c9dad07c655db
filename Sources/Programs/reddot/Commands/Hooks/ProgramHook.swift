import Basics
import Formats
import Foundation
import Messages

/// What a program's hook hands over: one JSON object, whose keys differ from program to program.
struct ProgramHook: Hashable, Sendable {
  /// What the program does.
  enum Phase: Hashable, Sendable {
    /// It waits for a person.
    case waits
    /// It goes on, or is done: what it waited for is over.
    case goesOn
    case other
  }

  /// As the program calls it; empty: it doesn't say.
  var event: String
  var phase: Phase
  /// The last part of its folder; nil: it doesn't say.
  var project: String?
  /// Its session or thread; nil: it doesn't say.
  var session: String?
  var title: String?
  var body: String

  /// - Parameters:
  ///   - text: as it came; what isn't a JSON object is the body.
  ///   - directory: of the hook, where the object names none.
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
    let folder = value(["cwd", "directory"]) ?? directory
    project = folder?.split(exactly: "/").last.map(String.init)
    phase = Self.phase(event)
    let message = value([
      "message", "last-assistant-message", "last_assistant_message", "body", "text", "error", "error_type",
      "notification_type",
    ])
    body = message ?? object.map { _ in "" } ?? text.trimmingCharacters(in: .whitespacesAndNewlines)
    if body.isEmpty, let object {
      let known: Set<String> = [
        "hook_event_name", "type", "event", "session_id", "thread-id", "thread_id", "session", "title", "cwd",
        "directory",
      ]
      let others = object.members.filter { !known.contains($0.key) && $0.value != .string("") }
      if !others.isEmpty { body = JSONValue.object(JSONObject(others)).serialized(pretty: true) }
    }
  }

  private static func phase(_ event: String) -> Phase {
    switch event.lowercased().filter(\.isLetter) {
    case "notification", "permissionrequest", "elicitation", "approvalrequested", "idleprompt",
      "userinputrequested", "waiting":
      .waits
    case "stop", "agentturncomplete", "userpromptsubmit", "sessionstart", "sessionend", "posttooluse", "done",
      "resumed":
      .goesOn
    case _: .other
    }
  }

  /// Events that only say that the program goes on: no message is made of them.
  var isOnlyProgress: Bool {
    [
      "userpromptsubmit", "sessionstart", "sessionend", "pretooluse", "posttooluse", "posttoolusefailure",
      "precompact", "postcompact", "subagentstart", "subagentstop", "resumed",
    ]
    .contains(event.lowercased().filter(\.isLetter))
  }

  /// `PermissionRequest` and `agent-turn-complete` in words: `permission request`, `agent turn complete`.
  var eventWords: String {
    var words = ""
    for character in event {
      if character.isUppercase, let last = words.last, last != " ", !last.isUppercase { words += " " }
      words += character == "-" || character == "_" ? " " : character.lowercased()
    }
    return words
  }

  /// Waiting twice is one message, whatever its program calls it.
  static func waitingID(_ session: String) -> RemoteID { RemoteID("hook:\(session):waiting") }
}
