package import Messages
package import Screen

extension Words {
  /// The titles of all sources that brought a message, those of `others` that have one after the first.
  package func title(
    of source: SourceID, and others: [SourceID], titles: [SourceID: SafeText], else name: SafeText = .empty
  ) -> SafeText {
    others.reduce(titles[source] ?? name) { title, other in
      titles[other].map { title + ", " + $0 } ?? title
    }
  }

  /// The same where the screen's titles aren't at hand.
  package func title(of message: Message, among sources: [SourceStatus]) -> SafeText {
    title(
      of: message.source, and: message.otherSources, titles: titles(of: sources),
      else: SafeText(untrusted: message.sourceName))
  }

  /// The title of a source: from the settings, else from its server, else its name. The inbox of a native feed is called Inbox, in the
  /// user's language, until its server sends a title.
  package func title(of status: SourceStatus) -> SafeText {
    if let title = status.source.title, !title.isEmpty { return SafeText(untrusted: title) }
    if let title = status.title, !title.isEmpty { return SafeText(untrusted: title) }
    return status.source.kind == .native ? self(.inbox) : SafeText(untrusted: status.source.name)
  }

  /// Several inboxes without a title of their own have their names appended.
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
