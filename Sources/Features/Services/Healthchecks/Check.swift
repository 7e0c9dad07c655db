import Basics
import Formats
import Foundation
import Messages

/// The checks in a response, `{"checks": […]}`.
struct CheckList {
  private(set) var checks: [Check] = []
  /// The problems that were found in the response; it contains no messages.
  private(set) var found = ServiceMessages()
  /// The ids of checks whose status could not be read.
  private(set) var unreadable: Set<String> = []
  /// Whether every element has an id.
  let isComplete: Bool

  /// Reads a response, or returns `nil` if it has no list of checks.
  init?(_ json: JSONValue) {
    guard let elements = json.object?["checks"]?.elements else { return nil }
    let read = found.elements(elements, at: "$.checks") { fields -> (id: String, check: Check?)? in
      Check.ID(&fields).map { ($0.text, Check($0, &fields)) }
    }
    for case let (id, check)? in read {
      if let check { checks.append(check) } else { unreadable.insert(id) }
    }
    isComplete = read.allSatisfy { $0 != nil }
  }
}

/// A check of Healthchecks, as a response lists it.
struct Check {
  /// The status of a check; `grace` means that its ping is late.
  enum Status: String, Codable, CaseIterable {
    case new, up, grace, down, paused

    /// Whether the check is late or down. A new or paused check causes no message, and a check that is up ends the
    /// message.
    var isTrouble: Bool {
      switch self {
      case .grace, .down: true
      case .new, .up, .paused: false
      }
    }
  }

  /// The id of a check. The available fields depend on the kind of the API key.
  struct ID {
    /// The origin of an id, in the order in which they are tried.
    enum Kind {
      case uuid, uniqueKey
      /// An id computed from the check's name and tags, which the server doesn't know.
      case made
    }

    let text: String
    let kind: Kind

    /// Reads the id, or returns `nil` and adds a problem if nothing distinguishes the check from others.
    init?(_ fields: inout JSONFields) {
      func short(_ text: String?) -> String? {
        text.flatMap { $0.utf8.count <= Limits.nameBytes / 8 ? $0 : nil }
      }
      if let uuid = short(fields.text("uuid")) ?? Self.uuid(in: &fields) {
        (text, kind) = (uuid, .uuid)
      } else if let key = short(fields.text("unique_key")) {
        (text, kind) = (key, .uniqueKey)
      } else if let made = Self.made(&fields) {
        (text, kind) = (made, .made)
      } else {
        fields.report("uuid", "is missing or too long, and so are unique_key, slug and name")
        return nil
      }
    }

    /// Returns the UUID at the end of the ping address or of the check's address.
    private static func uuid(in fields: inout JSONFields) -> String? {
      for key in ["ping_url", "update_url"] {
        guard let address = fields.text(key) else { continue }
        let parts = address.split(onBytes: "/").map(String.init)
        if let uuid = parts.last(where: { UUID(uuidString: $0) != nil }) { return uuid.lowercased() }
      }
      return nil
    }

    /// Returns a digest of the check's slug, name and tags, or `nil` if slug and name are missing.
    private static func made(_ fields: inout JSONFields) -> String? {
      let names = ["slug", "name"].map { fields.text($0) ?? "" }
      guard names.contains(where: { !$0.isEmpty }) else { return nil }
      let tags = (fields.text("tags") ?? "").split(onBytes: " ").sorted().joined(separator: " ")
      return "made:" + SHA256.digest((names + [tags]).joined(separator: "\n")).prefix(8).hex
    }
  }

  let id: String
  private let kind: ID.Kind
  let name: String
  let status: Status
  let description: String
  let tags: [String]
  var lastPing: Date?
  /// The time since which the check has its status, or `nil` if it isn't known yet.
  var since: Date?
  /// The value that distinguishes one outage from the next: the time of the last ping before the outage.
  /// After it, the list no longer contains that time.
  var occasion: Date?

  /// Reads a check, or returns `nil` and adds a problem if its status could not be read.
  init?(_ id: ID, _ fields: inout JSONFields) {
    guard let status = fields.text("status").flatMap(Status.init) else {
      fields.reportMismatch("status", expected: "new, up, grace, down or paused")
      return nil
    }
    (self.id, kind) = (id.text, id.kind)
    self.status = status
    name = ServiceText.oneLine(fields.text("name") ?? fields.text("slug") ?? id.text)
    description = fields.text("desc") ?? ""
    tags = (fields.text("tags") ?? "").split(onBytes: " ").map(String.init)
    lastPing = fields.instant("last_ping")
  }

  /// Whether the check was pinged after a time, or at all if that time is `nil`.
  func isPinged(since moment: Date?) -> Bool {
    guard let lastPing else { return false }
    return moment.map { lastPing > $0 } ?? true
  }

  /// The id with which the check can be requested from the server, or `nil` if the response contains none.
  var askedBy: String? { kind == .made ? nil : id }

  var remoteID: RemoteID { Self.remoteID(id, status) }

  /// Returns the id of the message about a check's status: each status has a separate message.
  static func remoteID(_ id: String, _ status: Status) -> RemoteID { RemoteID("\(id):\(status.rawValue)") }

  /// Returns the message about a check that is late or down.
  ///
  /// - Parameter base: the address of the server.
  func message(base: String) -> IncomingMessage {
    var message = IncomingMessage(
      remoteID: remoteID, kind: .service, title: "\(name): \(status == .down ? "down" : "late")",
      body: description)
    let part = ServiceClient.encoded(id)
    switch kind {
    case .uuid: message.url = base + "/checks/\(part)/details/"
    case .uniqueKey: message.url = base + "/cloaked/\(part)/"
    case .made: message.url = base + "/"
    }
    message.published = since ?? lastPing
    message.priority = status == .down ? Priority(5) : Priority(4)
    message.tags = ServiceText.tags(tags + [status.rawValue])
    var extras = MessageExtras()
    extras.occasion = occasion.map { "\(Int($0.timeIntervalSince1970))" }
    message.extras = extras
    return message
  }
}
