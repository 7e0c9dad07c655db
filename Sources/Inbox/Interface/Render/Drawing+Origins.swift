import Basics
import Messages
import Screen
import Words

/// The origins of the messages of a list.
extension Drawing {
  /// Returns the feed, application, topic, project or host of a service's message; otherwise the source. In the list of
  /// one source it is empty if the service has no such origin.
  ///
  /// - Parameter columns: the available width. If a name doesn't fit, the short name of the settings or the end of a
  ///   path is used.
  func origin(of message: MessageRow, columns: Int) -> SafeText {
    let sources = state.shown.sources
    let isOwnList = if case .source = state.shown.list.query.scope { true } else { false }
    let status = sources.status(message.source)
    if let channel = message.channel, isOwnList || message.otherSources.isEmpty && status?.hasOrigins == true
    {
      let name = SafeText(beginningOf: channel, columns: 4 * columns) ?? .empty
      guard name.columns > columns, let end = channel.split(onBytes: "/").last else { return name }
      return SafeText(beginningOf: String(end), columns: columns) ?? name
    }
    if isOwnList { return .empty }
    let title = state.title(of: message.source, and: message.otherSources)
    guard title.columns > columns, message.otherSources.isEmpty, let status,
      let short = state.options.layout.shortNames[status.source.name]
    else { return title }
    return SafeText(untrusted: short)
  }
}

extension SourceStatus {
  /// Whether users recognise the messages of this source by the service's feed, application, topic, project
  /// or host. A topic that is the whole source has the source's name.
  fileprivate var hasOrigins: Bool {
    source.kind.row.hasOrigins && (source.kind != .ntfy || source.settings.address.contains(","))
  }
}
