import Formats
import Foundation
import Interface
package import Messages
import Schedules
import Screen
import Storage

extension Workspace {
  /// Tells of messages in list order, page by page: no more than a page is held.
  package func eachMessage(_ query: InboxQuery, limit: Int, _ body: (Message) throws -> Void) throws {
    try store.advance(to: surroundings.now())
    var left = limit
    var last: ListKey?
    while left > 0 {
      let page = try store.list(query, after: last, limit: min(left, 200))
      for (_, message) in page { try body(presented(message)) }
      left -= page.count
      guard let next = page.last?.key else { return }
      last = next
    }
  }

  package func message(_ id: MessageID) throws -> Message? { try store.message(id).map(presented) }

  package func perform(_ act: UserAct) throws {
    try store.perform(act, at: surroundings.now())
  }

  /// Puts a message off and says until when.
  package func snooze(_ id: MessageID, until text: String) throws -> String {
    let now = surroundings.now()
    guard try store.message(id) != nil else { throw SnoozeRefusal.noMessage(id) }
    guard let until = SnoozeTime.parse(text, now: now, zone: surroundings.zone()) else {
      throw SnoozeRefusal.noTime(text)
    }
    guard try store.perform(.snooze([id], until: until), at: now) > 0 else {
      throw SnoozeRefusal.notListed(id)
    }
    return "back \(surroundings.wallTime(until))"
  }

  package enum SnoozeRefusal: SayableFailure {
    case noMessage(MessageID), notListed(MessageID), noTime(String)

    package var sentence: String {
      switch self {
      case .noMessage(let id): "there is no message \(id.rawValue); reddot list prints the ids"
      case .notListed(let id):
        "message \(id.rawValue) is on no list: it was dismissed, put off or has expired"
      case .noTime(let text):
        "\"\(text)\" is no time ahead; write 2h, this evening, tomorrow, fri 9:00 or 2026-12-24 18:00"
      }
    }
  }

  /// Takes back the last act and says what it was; nil when there is none.
  package func undo() throws -> String? {
    try store.undo(at: surroundings.now()).map { act in
      words(.undone, words.count(Phrase(act.kind), act.count)).text
    }
  }

  /// Puts a script's message into a local source, which is made when it is missing.
  package func push(_ message: IncomingMessage, into name: String?) throws -> Message? {
    let source = try localSource(name).id
    try store.push(message, into: source, at: surroundings.now())
    // By its own id: an update brings no new one.
    return try store.message(message.remoteID, of: source)
  }

  /// The local source of that name, or the first that there is; made when it is missing.
  func localSource(_ name: String?) throws -> Source {
    guard let name else { return try sources.first { $0.kind == .local } ?? registerLocal("local") }
    guard let known = sources.first(where: { $0.name == name }) else { return try registerLocal(name) }
    guard known.kind == .local else { throw NotLocal(name: name) }
    return known
  }

  private func registerLocal(_ name: String) throws -> Source {
    let all = sources.map(ConfiguredSource.init) + [ConfiguredSource(name: name, kind: .local, address: "")]
    guard let source = try store.register(all, at: surroundings.now()).last else {
      throw UnknownSource(name: name, known: sources.map(\.name))
    }
    return source
  }

  /// Scripts push into local sources only: what a server sends and what a script says stay apart.
  package struct NotLocal: SayableFailure {
    package var name: String
    package var sentence: String {
      "\"\(name)\" is polled, so nothing can be pushed into it; give the name of a local source, or none"
    }
  }

  /// The configured sources as the inbox lists them.
  package func sourceStatuses() throws -> [SourceStatus] { try store.statuses() }

  package func status() throws -> InboxStatus {
    let now = surroundings.now()
    try store.advance(to: now)
    let statuses = try store.statuses()
    return InboxStatus(
      unread: statuses.reduce(0) { $0 + $1.unread }, isUnseen: statuses.contains(where: \.isUnseen))
  }
}

/// What `reddot status` says: the dot and the number of unread messages.
package struct InboxStatus: Hashable, Sendable {
  package var unread: Int
  package var isUnseen: Bool

  /// Nothing at all when there is nothing unread and nothing unseen.
  package func line(isUTF8: Bool) -> String? {
    if isUnseen { return "\(isUTF8 ? "●" : "*") \(unread)" }
    return unread > 0 ? "\(unread)" : nil
  }

  package var json: String {
    SafeOutput.json(
      .object(
        JSONObject([
          .init(key: "unseen", value: .bool(isUnseen)), .init(key: "unread", value: .number(String(unread))),
        ])))
  }
}
