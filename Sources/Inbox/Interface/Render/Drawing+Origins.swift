import Basics
import Messages
import Screen
import Words

/// Where the messages of a list come from.
extension Drawing {
  /// The feed, application, topic, project or host of a service's message; else the source. In the list of one source it is
  /// empty where the service says no more than that.
  ///
  /// - Parameter columns: a name that doesn't fit is the short one of the settings, or the end of a path.
  func origin(of message: MessageRow, columns: Int) -> SafeText {
    let sources = state.shown.sources
    let isOwnList = if case .source = state.shown.list.query.scope { true } else { false }
    let status = sources.status(message.source)
    if let channel = message.channel, isOwnList || message.otherSources.isEmpty && status?.hasOrigins == true
    {
      let name = SafeText(beginningOf: channel, columns: 4 * columns) ?? .empty
      guard name.columns > columns, let end = channel.split(exactly: "/").last else { return name }
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
  /// Whether a person knows its messages by what the service calls their feed, application, topic, project or host. A topic
  /// that is the whole source has the source's name.
  fileprivate var hasOrigins: Bool {
    source.kind.row.hasOrigins && (source.kind != .ntfy || source.settings.address.contains(","))
  }
}
