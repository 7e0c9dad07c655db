package import Messages
package import Screen

extension Words {
  /// Returns the titles of all sources of a message: of `source`, or `name` if it has no title, and then of `others`.
  package func title(
    of source: SourceID, and others: [SourceID], titles: [SourceID: SafeText], else name: SafeText = .empty
  ) -> SafeText {
    others.reduce(titles[source] ?? name) { title, other in
      titles[other].map { title + ", " + $0 } ?? title
    }
  }

  /// Returns the titles of all sources of a message, for callers without the screen's titles.
  package func title(of message: Message, among sources: [SourceStatus]) -> SafeText {
    title(
      of: message.source, and: message.otherSources, titles: titles(of: sources),
      else: SafeText(untrusted: message.sourceName))
  }

  /// Returns the title of a source: from the settings, otherwise from its server, otherwise its name. The inbox of a
  /// native feed is called Inbox, in the user's language, until its server sends a title.
  package func title(of status: SourceStatus) -> SafeText {
    if let title = status.source.title, !title.isEmpty { return SafeText(untrusted: title) }
    if let title = status.title, !title.isEmpty { return SafeText(untrusted: title) }
    return status.source.kind == .native ? self(.inbox) : SafeText(untrusted: status.source.name)
  }

  /// Returns the titles of sources. If several inboxes have no title, their names are appended.
  package func titles(of statuses: [SourceStatus]) -> [SourceID: SafeText] {
    let titles = statuses.map { ($0.source, title(of: $0)) }
    let inboxes = titles.filter { $0.1 == self(.inbox) }.count
    return Dictionary(
      titles.map { source, title in
        let isOneOfMany = inboxes > 1 && title == self(.inbox)
        return (source.id, isOneOfMany ? title + " (\(untrusted: source.name))" : title)
      }, uniquingKeysWith: { first, _ in first })
  }
}
