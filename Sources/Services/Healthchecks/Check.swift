import Formats
import Foundation
import Limits
import Messages

/// The checks of one answer, `{"checks": […]}`.
struct CheckList {
  let checks: [Check]
  /// What is wrong in it; no messages.
  private(set) var found = ServiceMessages()
  /// False if one could not be read.
  let isComplete: Bool

  /// nil: it isn't such an answer.
  init?(_ json: JSONValue) {
    guard let elements = json.object?["checks"]?.elements else { return nil }
    let all = found.elements(elements, at: "$.checks") { Check(&$0) }
    checks = all.compactMap(\.self)
    isComplete = checks.count == all.count
  }
}

/// One check of the list.
struct Check {
  enum Status: String, Codable {
    case new, up, grace, down, paused

    /// Late, or down. A new or paused check isn't news, and one that is up ends what was wrong.
    var isTrouble: Bool {
      switch self {
      case .grace, .down: true
      case .new, .up, .paused: false
      }
    }
  }

  /// Its uuid, or with a read-only key its unique key.
  let id: String
  let hasUUID: Bool
  let name: String
  let status: Status
  let description: String
  let tags: [String]
  let lastPing: Date?
  var since: Date?
  /// What tells one outage from the next: the last ping before it. Its end is told by the list, which does not have it then.
  var occasion: Date?

  /// nil: it lacks what a check needs, which `fields` has a note of.
  init?(_ fields: inout JSONFields) {
    let uuid = fields.text("uuid")
    guard let id = uuid ?? fields.text("unique_key"), id.utf8.count <= Limits.nameBytes / 8 else {
      fields.report("uuid", "is missing or too long, and so is unique_key")
      return nil
    }
    guard let status = fields.text("status").flatMap(Status.init) else {
      fields.reportMismatch("status", expected: "new, up, grace, down or paused")
      return nil
    }
    self.id = id
    hasUUID = uuid != nil
    self.status = status
    name = ServiceText.oneLine(fields.text("name") ?? fields.text("slug") ?? id)
    description = fields.text("desc") ?? ""
    tags = (fields.text("tags") ?? "").split(exactly: " ").map(String.init)
    lastPing = fields.instant("last_ping")
  }

  var remoteID: RemoteID { Self.remoteID(id, status) }

  static func remoteID(_ id: String, _ status: Status) -> RemoteID { RemoteID("\(id):\(status.rawValue)") }

  func message(base: String) -> IncomingMessage {
    var message = IncomingMessage(
      remoteID: remoteID, kind: .service, title: "\(name): \(status == .down ? "down" : "late")",
      body: description)
    let part = ServiceClient.encoded(id)
    message.url = base + (hasUUID ? "/checks/\(part)/details/" : "/cloaked/\(part)/")
    message.published = since ?? lastPing
    message.priority = status == .down ? Priority(5) : Priority(4)
    message.tags = ServiceText.tags(tags + [status.rawValue])
    var extras = MessageExtras()
    extras.occasion = occasion.map { "\(Int($0.timeIntervalSince1970))" }
    message.extras = extras
    return message
  }
}
