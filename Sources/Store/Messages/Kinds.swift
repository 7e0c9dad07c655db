/// The kind of a source, which decides how it is polled.
package enum SourceKind: String, Sendable, CaseIterable, Codable {
  /// RSS, Atom or JSON Feed, over http, https or `file:`.
  case feed
  /// reddot's own incremental JSON feed.
  case native
  /// A file of local schedules.
  case schedule
  /// A control file of banners.
  case banners
  /// Messages pushed by scripts on this machine (`reddot push`); never polled.
  case local
  /// The output of a command.
  case command
  /// The alarms of iCalendar files and URLs.
  case calendar
  /// The desktop notifications of other programs on this machine; never polled.
  case desktop
  /// Services.
  case github, gitlab, gitea, mastodon, ntfy, gotify, miniflux, greader, alertmanager, nextcloud, discourse,
    healthchecks

  /// The properties that all sources of a kind share.
  package struct Row: Sendable {
    /// Whether the kind is that of a service, for example GitHub.
    package var isService = false
    /// Whether reddot polls it; other kinds receive their messages.
    package var isPolled = true
    /// Whether its server keeps new messages until the next poll, so that a poll that stops between two pages continues
    /// there later. A document, such as a feed, may have lost its current messages by tomorrow.
    package var hasBacklog = false
    /// Whether the last valid copy of its document is stored: requests are conditional on that copy, which is used
    /// again after a 304.
    package var keepsDocument = false
    /// Whether a source of this kind is the same on the user's other machines, so that its messages are
    /// synchronised by default. A local file never is.
    package var travels = true
    /// Whether its messages can belong to feeds, applications, topics, projects or hosts that the user knows by name.
    package var hasOrigins = false
    /// Whether its messages are shown regardless of their channel.
    package var showsAllChannels = false

    /// The properties of a service that keeps its messages until they are polled.
    fileprivate static let service = Row(
      isService: true, hasBacklog: true, hasOrigins: true, showsAllChannels: true)
  }

  /// The row of a kind. A new kind has its properties here and its adapter in `SourceAdapters`.
  package var row: Row {
    switch self {
    case .feed, .schedule: Row()
    case .native: Row(hasBacklog: true)
    case .banners: Row(keepsDocument: true)
    case .calendar: Row(keepsDocument: true, travels: false, showsAllChannels: true)
    case .command: Row(travels: false)
    case .local: Row(isPolled: false, travels: false, showsAllChannels: true)
    case .desktop: Row(isPolled: false, travels: false, hasOrigins: true, showsAllChannels: true)
    case .github, .gitlab, .gitea, .mastodon, .ntfy, .gotify, .miniflux, .greader, .nextcloud, .discourse:
      .service
    case .alertmanager, .healthchecks:
      Row(isService: true, hasOrigins: true, showsAllChannels: true)
    }
  }
}

/// The kind of a message, `kind` in its JSON.
package enum MessageKind: String, Sendable, CaseIterable, Codable {
  case feed, native, inapp, apns, schedule, local, command, service, calendar, desktop
}

/// The rank of a message in lists: higher ranks are above lower ones, regardless of time.
package enum Rank: Int, Sendable, CaseIterable, Codable {
  case normal = 0
  /// Cannot be dismissed, and stays on top until it expires.
  case pinned = 1
  /// An announced downtime: above the rest, in the warning colour, until it expires.
  case downtime = 2
}

/// A message's priority, 1 (lowest) to 5 (urgent); 3 is normal.
package struct Priority: Hashable, Comparable, Sendable {
  package let rawValue: Int

  package static let normal = Priority(3)
  /// All priorities, from the lowest to the highest.
  package static let all = (1...5).map { Priority($0) }

  /// Creates a priority. Values outside 1 to 5 become the nearest one inside.
  package init(_ value: Int) { rawValue = min(5, max(1, value)) }

  package static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}
