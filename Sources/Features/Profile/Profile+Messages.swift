import Calendars
import Formats
package import Foundation
package import Messages
import Platform
package import Queries
package import Screen
import Settings
package import Storage
import Words

extension Profile {
  /// Calls `body` with the messages of a list, in its order. They are read page by page, so that only one page is in
  /// memory.
  package func eachMessage(_ query: InboxQuery, limit: Int, _ body: (Message) throws -> Void) throws {
    try store.time.catchUp(to: environment.now())
    let followed = Set(sources.map(\.id))
    var left = limit
    var last: ListKey?
    while left > 0 {
      let page = try store.lists.messages(query, after: last, limit: min(left, 200))
      for (_, message) in page where followed.contains(message.source) {
        try body(presented(message))
        left -= 1
      }
      guard let next = page.last?.key else { return }
      last = next
    }
  }

  /// Validates a query that was given with a command, and returns its text for an `InboxQuery`.
  ///
  /// - Throws: `QueryRefusal`.
  package func search(_ text: String) throws -> String {
    switch Query.parse(text, .strict) {
    case .success(let query):
      if let unknown = try unknownName(in: query) { throw GivenMistake(sentence: "not a query: \(unknown)") }
      return query.text
    case .failure(let mistake): throw QueryRefusal(mistake: mistake, text: text)
    }
  }

  /// Returns a sentence about the first name in a query that no source, folder or rule has, or `nil` if all are known.
  package func unknownName(in query: Query) throws -> String? {
    var known: [Query.NameField: [String]]?
    for (field, glob) in query.literalNames {
      if known == nil {
        let lookup = try lookup()
        known = [
          .source: lookup.names, .folder: lookup.folders.map(\.path), .rule: settings.rules.map(\.name),
        ]
      }
      guard let names = known?[field], !names.contains(where: glob.matches), let text = glob.literal else {
        continue
      }
      return "\(field.rawValue):\(text) names no \(field.rawValue)\(NearestName.question(text, in: names))"
    }
    return nil
  }

  /// Returns the query of a saved list, and a sentence about the first unknown name in it. The list's name is compared
  /// ignoring case if none matches exactly.
  package func query(ofList name: String) throws -> (text: String, unknown: String?) {
    let lists = settings.lists
    func isNamed(_ list: ConfiguredList) -> Bool {
      list.name.compare(name, options: [.caseInsensitive, .diacriticInsensitive]) == .orderedSame
    }
    guard let found = lists.first(where: { $0.name == name }) ?? lists.first(where: isNamed) else {
      let names = lists.map { "\"\($0.name)\"" }.joined(separator: ", ")
      throw GivenMistake(
        sentence: "no list named \"\(name)\"; "
          + (names.isEmpty ? "add a [[list]] to the settings" : "lists: \(names)"))
    }
    guard let query = found.query else {
      throw GivenMistake(
        sentence: "the query of the list \"\(found.name)\" is invalid: \(found.problem ?? "")")
    }
    return (query.text, try unknownName(in: query))
  }

  /// The error in a query, and its position.
  package struct QueryRefusal: UserFacingError {
    var mistake: Query.Mistake
    var text: String

    package var sentence: String { "not a query: \(mistake.sentence(in: text))" }
  }

  package func message(_ id: MessageID) throws -> Message? { try store.messages.find(id).map(presented) }

  package func perform(_ act: UserAct) throws {
    try store.acts.perform(act, at: environment.now())
  }

  /// Returns the first of the ids that no message has, or `nil` if all exist.
  package func missing(among ids: [MessageID]) throws -> MessageID? { try store.messages.missing(among: ids) }

  /// Returns the messages that cannot be dismissed: their source keeps them in the lists until they expire.
  package func undismissable(among ids: [MessageID]) throws -> [MessageID] {
    try store.messages.undismissable(among: ids)
  }

  /// Snoozes a message and returns a sentence with the time.
  package func snooze(_ id: MessageID, until text: String) throws -> String {
    let now = environment.now()
    guard let message = try store.messages.find(id) else { throw SnoozeRefusal.noMessage(id) }
    guard message.content.isDismissable else { throw SnoozeRefusal.notDismissable(id) }
    let until = try instant(text)
    guard try store.acts.perform(.snooze([id], until: until), at: now) > 0 else {
      throw SnoozeRefusal.notListed(id)
    }
    return "back \(environment.wallTime(until))"
  }

  /// Parses a time that the user typed.
  package func instant(_ text: String) throws -> Date {
    guard let instant = SnoozeTime.parse(text, now: environment.now(), zone: environment.clock()) else {
      throw SnoozeRefusal.noTime(text)
    }
    return instant
  }

  package enum SnoozeRefusal: UserFacingError {
    case noMessage(MessageID), notListed(MessageID), notDismissable(MessageID), noTime(String)

    package var sentence: String {
      switch self {
      case .noMessage(let id): "message \(id.rawValue) does not exist; run reddot list to see the ids"
      case .notListed(let id):
        "message \(id.rawValue) is not in any list: it was dismissed, snoozed or has expired"
      case .notDismissable(let id):
        "message \(id.rawValue) cannot be snoozed: its source wants it on the list until it expires"
      case .noTime(let text):
        "\"\(text)\" is not a time in the future; write 2h30m, 5pm, this evening, tomorrow 9, weekend, fri 9:00 or "
          + "2026-12-24 18:00"
      }
    }
  }

  /// Returns the local source with a name. Without a name, returns the first local source of the settings, or `nil` if
  /// they have none: the store then chooses one.
  package func localSource(_ name: String?) throws(StoreFailure) -> ConfiguredSource? {
    let configured = settings.sources.map(\.source)
    guard let name else { return configured.first { $0.kind == .local } }
    guard let known = configured.first(where: { $0.name == name }) else {
      return ConfiguredSource(name: name, kind: .local, address: "")
    }
    guard known.kind == .local else { throw .notLocal(name: name) }
    return known
  }

  /// Returns the followed sources with their counts and states, as the inbox shows them.
  package func sourceStatuses() throws -> [SourceStatus] { try statuses() }

  package func status() throws -> InboxStatus {
    try store.time.catchUp(to: environment.now())
    // The results of polls are left out, since this runs at every prompt of a shell.
    let ids = Set(sources.map(\.id))
    let counts = try store.sources.unreadCounts()
    let followed = counts.filter { ids.contains($0.key) }
    return InboxStatus(
      unread: UnreadCounts.sum(followed), isUnseen: followed.values.contains(where: \.isUnseen),
      quiet: try quietTime(), waiting: try store.questions.waitingCount())
  }
}

/// The output of `reddot status`: the dot and the number of unread messages.
package struct InboxStatus: Hashable, Sendable {
  package var unread: Int
  /// Whether messages arrived that the user has not seen in a list.
  package var isUnseen: Bool

  package var quiet: QuietTime?

  /// The number of programs that wait for the user.
  package var waiting: Int

  package init(unread: Int, isUnseen: Bool, quiet: QuietTime? = nil, waiting: Int = 0) {
    (self.unread, self.isUnseen, self.quiet) = (unread, isUnseen, quiet)
    self.waiting = waiting
  }

  /// Returns the line, or `nil` if nothing is unread, nothing is unseen and no quiet time is on.
  package func line(isUTF8: Bool) -> StyledText? {
    var line = StyledText()
    if isUnseen { line.append(isUTF8 ? "●" : "*", style: Style(roles: .dot)) }
    if isUnseen || unread > 0 { line.append(line.isEmpty ? "\(unread)" : " \(unread)", style: .bold) }
    if let quiet {
      line.append("\(untrusted: line.isEmpty ? "" : " ")\(untrusted: quiet.text)", style: Style(roles: .dim))
    }
    return line.isEmpty ? nil : line
  }

  package var json: String {
    SafeOutput.json(
      .object(
        JSONObject(
          [
            .init(key: "unseen", value: .bool(isUnseen)),
            .init(key: "unread", value: .number(String(unread))),
            .init(key: "waiting", value: .number(String(waiting))),
          ] + QuietTime.json(quiet).map { .init(key: $0.0, value: $0.1) })))
  }
}
