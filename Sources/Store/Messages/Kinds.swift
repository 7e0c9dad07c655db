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
  /// What a command prints.
  case command
  /// iCalendar files and addresses: their alarms.
  case calendar
  /// What other programs show on this machine's desktop; never polled.
  case desktop
  /// Services.
  case github, gitlab, gitea, mastodon, ntfy, gotify, miniflux, greader, alertmanager, nextcloud, discourse,
    healthchecks

  /// Whether it is asked for what is new. The others are handed their messages.
  package var isPolled: Bool { self != .local && self != .desktop }

  package var isService: Bool {
    switch self {
    case .feed, .native, .schedule, .banners, .local, .command, .calendar, .desktop: false
    case .github, .gitlab, .gitea, .mastodon, .ntfy, .gotify, .miniflux, .greader, .alertmanager, .nextcloud,
      .discourse, .healthchecks:
      true
    }
  }

  /// Whether its server keeps new messages until it is polled, so that a poll that stops between two pages continues there later.
  /// A document of the others, such as a feed, may lack tomorrow what it has today.
  package var hasBacklog: Bool {
    switch self {
    case .native, .github, .gitlab, .gitea, .mastodon, .ntfy, .gotify, .miniflux, .greader, .nextcloud,
      .discourse:
      true
    case .feed, .schedule, .banners, .local, .command, .calendar, .desktop, .alertmanager, .healthchecks:
      false
    }
  }

  /// Whether the last valid copy of its document is stored: requests are conditional on that copy, which is used again
  /// after a 304.
  package var keepsDocument: Bool {
    switch self {
    case .banners, .calendar: true
    case .feed, .native, .schedule, .local, .command, .desktop, .github, .gitlab, .gitea,
      .mastodon, .ntfy, .gotify, .miniflux, .greader, .alertmanager, .nextcloud, .discourse, .healthchecks:
      false
    }
  }
}

/// The kind of a message, `kind` in its JSON.
package enum MessageKind: String, Sendable, CaseIterable, Codable {
  case feed, native, inapp, apns, schedule, local, command, service, calendar, desktop
}

/// The rank of a message in lists: higher ranks are above lower ones, regardless of time.
package enum Standing: Int, Sendable, CaseIterable, Codable {
  case normal = 0
  /// Cannot be dismissed and stays on top until it expires.
  case pinned = 1
  /// An announced downtime: above the rest, in the warning colour, until it expires.
  case downtime = 2
}

/// A message's priority, 1 (lowest) to 5 (urgent); 3 is normal.
package struct Priority: Hashable, Comparable, Sendable {
  package let rawValue: Int

  package static let normal = Priority(3)
  /// From the lowest to the highest.
  package static let all = (1...5).map { Priority($0) }

  /// Values outside 1 to 5 become the nearest one inside.
  package init(_ value: Int) { rawValue = min(5, max(1, value)) }

  package static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}
