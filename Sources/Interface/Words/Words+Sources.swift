package import Messages
package import Screen

extension Words {
  /// What a source is called: by its server, else by its name. The inbox of a native feed is called Inbox, in the
  /// reader's language, until its server says otherwise.
  package func title(of status: SourceStatus) -> SafeText {
    if let title = status.title, !title.isEmpty { return SafeText(untrusted: title) }
    return status.source.kind == .native ? self(.inbox) : SafeText(untrusted: status.source.name)
  }

  /// Of several inboxes that no server has named, each has its name behind it.
  func titles(of statuses: [SourceStatus]) -> [SourceID: SafeText] {
    let titles = statuses.map { ($0.source, title(of: $0)) }
    let inboxes = titles.filter { $0.1 == self(.inbox) }.count
    return Dictionary(
      titles.map { source, title in
        let isOneOfMany = inboxes > 1 && title == self(.inbox)
        return (source.id, isOneOfMany ? title + " (\(untrusted: source.name))" : title)
      }, uniquingKeysWith: { first, _ in first })
  }
}
