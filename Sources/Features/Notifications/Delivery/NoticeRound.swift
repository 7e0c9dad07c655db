package import Foundation
package import Messages
import Platform
package import Profile
import Queries
import Settings
package import Storage

/// The operations that a channel supports in this process.
package struct ChannelAbilities: Sendable {
  package var channel: NoticeChannel
  /// Whether a notification can be replaced by another one.
  package var canReplace = false
  /// Whether a notification can be repeated without appearing twice. This matters if the process that showed it exited
  /// before it confirmed that.
  package var canRepeat = false
  /// Whether this process can replace and withdraw the notification to which the channel gave a name.
  package var isOurs: @Sendable (String) -> Bool = { _ in true }
  /// The messages that the channel refused while it showed others, with the time until which they are not tried again.
  package var refused: [MessageID: Date] = [:]

  package init(
    channel: NoticeChannel, canReplace: Bool = false, canRepeat: Bool = false,
    isOurs: @escaping @Sendable (String) -> Bool = { _ in true }
  ) {
    (self.channel, self.canReplace, self.canRepeat, self.isOurs) = (channel, canReplace, canRepeat, isOurs)
  }
}

/// The result of showing one notification.
package enum NoticeResult: Hashable, Sendable {
  /// The notification is shown, and can be withdrawn by this name.
  case stands(name: String)
  /// The notification was shown, but cannot be withdrawn.
  case told
  /// The notification was not shown; its messages wait again.
  case notNow
  /// The result is unknown, as if the process had exited before it confirmed the notification.
  case unknown
}

/// One round of a channel: all notifications that are to be shown or withdrawn now. The round holds the channel's lock,
/// so that two processes never notify of the same message.
///
/// Prepare the round, show its notifications, then call `finish`, whatever the results are.
package struct NoticeRound: Sendable {
  /// The notifications in their order, each with the name of the notification that it replaces.
  package private(set) var notices: [(content: NoticeContent, earlier: String?)] = []
  /// The notifications that are shown but no longer needed, with the names that the channel gave them.
  package private(set) var withdrawn: [(id: NoticeID, name: String)] = []
  /// The time of the next notification if nothing else happens.
  package private(set) var next: Date?
  /// Whether any notification of the channel is shown now, or will be shown after this round.
  private(set) var hasStanding = false

  private let lock: StoreLock?
  private let store: Store

  /// The time until the next attempt if another process holds the channel's lock, in seconds.
  private static let retry: TimeInterval = 1

  /// Prepares a round, which may write to the store.
  ///
  /// - Returns: `nil` if there is nothing to do.
  package static func prepare(
    _ profile: Profile, _ abilities: ChannelAbilities, at now: Date
  ) throws(StoreFailure) -> NoticeRound? {
    let (store, channel) = (profile.store, abilities.channel)
    let news = try store.notices.channelsWithNews().contains(channel)
    let standing = try store.notices.standing(on: channel).filter { $0.name.map(abilities.isOurs) ?? false }
    let unconfirmed = try store.notices.unconfirmed(on: channel)
    guard news || !unconfirmed.isEmpty || !standing.isEmpty else { return nil }
    guard news || !unconfirmed.isEmpty || standing.contains(where: \.unread.isEmpty) else {
      var round = NoticeRound(lock: nil, store: store)
      round.hasStanding = true
      return round
    }
    guard let lock = try store.tryLock(.notices(channel)) else {
      var round = NoticeRound(lock: nil, store: store)
      round.next = now.addingTimeInterval(retry)
      round.hasStanding = !standing.isEmpty
      return round
    }
    var round = NoticeRound(lock: lock, store: store)
    do throws(StoreFailure) {
      try round.fill(profile, abilities, at: now)
    } catch {
      lock.release()
      throw error
    }
    return round
  }

  private init(lock: StoreLock?, store: Store) { (self.lock, self.store) = (lock, store) }

  private mutating func fill(
    _ profile: Profile, _ abilities: ChannelAbilities, at now: Date
  ) throws(StoreFailure) {
    let channel = abilities.channel
    let zone = profile.environment.clock()
    let composer = try NoticeComposer(profile)
    // These notifications are of a process that exited, since this process holds the lock.
    for notice in try store.notices.unconfirmed(on: channel) {
      guard abilities.canRepeat, !notice.unread.isEmpty else {
        try store.notices.end([notice.id])
        continue
      }
      notices.append((try composer.content(notice, urgent: []), notice.name))
    }
    var digest: StoredNotice?
    for notice in try store.notices.standing(on: channel) {
      guard let name = notice.name, abilities.isOurs(name) else { continue }
      if notice.unread.isEmpty {
        withdrawn.append((notice.id, name))
      } else {
        hasStanding = true
        if notice.form == .digest { digest = notice }
      }
    }
    let held = abilities.refused.filter { $0.value > now }
    let waiting = try store.notices.waiting(for: channel).filter { held[$0.message] == nil }
    let quiet = Quiet(hours: profile.settings.telling.quiet, asked: try store.notices.quiet())
    let state = quiet.state(at: now, in: zone)
    let allowed = try profile.allowed(waiting, in: state, at: now)
    let shown = NoticePlan.Channel(
      shown: try store.notices.times(on: channel, after: now.addingTimeInterval(-60), to: now),
      digest: abilities.canReplace ? digest?.id : nil, canReplace: abilities.canReplace)
    let plan = NoticePlan(
      waiting.map {
        NoticeCandidate(
          message: $0.message, source: $0.source, at: $0.at, isAllowed: allowed.contains($0.message))
      }, on: shown, quiet, at: now, in: zone)
    next = [plan.next, held.values.min()].compactMap(\.self).min()
    let urgent = Set(waiting.filter(\.isUrgent).map(\.message))
    for planned in plan.notices {
      let claimed = try store.notices.claim(
        planned.messages, as: planned.form, for: channel, replacing: planned.replaces, at: now)
      guard let claimed else { continue }
      notices.append((try composer.content(claimed, urgent: urgent), claimed.name))
    }
  }

  /// Releases the lock without confirming the notifications, as if the process had exited; for tests.
  func abandon() { lock?.release() }

  /// Stores the results of this round, and releases the lock.
  ///
  /// - Parameters:
  ///   - results: the results, keyed by notification. A notification without a result was not shown.
  ///   - kept: the notifications of `withdrawn` that could not be withdrawn and are still shown.
  package func finish(
    _ results: [NoticeID: NoticeResult], keeping kept: Set<NoticeID> = []
  ) throws(StoreFailure) {
    defer { lock?.release() }
    try store.notices.end(withdrawn.map(\.id).filter { !kept.contains($0) })
    for (content, _) in notices {
      switch results[content.id] ?? .notNow {
      case .stands(let name): try store.notices.confirm(content.id, named: name)
      case .told: try store.notices.confirm(content.id, named: nil)
      case .notNow: try store.notices.giveBack(content.id)
      case .unknown: break
      }
    }
  }
}

/// A piece of work for `NoticeHost`.
package enum HostNews: Hashable, Sendable {
  /// A message to notify the user of.
  case message(MessageID)
  /// A notification to send again or to withdraw.
  case notice(NoticeID)
}

extension Profile {
  /// Returns the messages that may be shown in quiet hours: urgent messages, and messages that all current quiet hours
  /// allow.
  fileprivate func allowed(
    _ waiting: [WaitingMessage], in state: Quiet.State, at now: Date
  ) throws(StoreFailure) -> Set<MessageID> {
    let urgent = Set(waiting.filter(\.isUrgent).map(\.message))
    guard case .on(_, let queries) = state else { return urgent }
    var allowed = Set(waiting.map(\.message))
    for query in queries {
      guard let query else { return urgent }
      allowed.formIntersection(
        try store.search.matching(query, among: Array(allowed), at: now, in: environment.clock()))
    }
    return allowed.union(urgent)
  }

  /// Returns the messages that wait for a channel and are not delayed by quiet hours.
  func tellable(_ channel: NoticeChannel) throws(StoreFailure) -> Set<MessageID> {
    let waiting = try store.notices.waiting(for: channel)
    if waiting.isEmpty { return [] }
    let now = environment.now()
    let quiet = Quiet(hours: settings.telling.quiet, asked: try store.notices.quiet())
    let state = quiet.state(at: now, in: environment.clock())
    return state == .off ? Set(waiting.map(\.message)) : try allowed(waiting, in: state, at: now)
  }

  /// Returns the work for `NoticeHost`: for the desktop, if there is one, for `notify_command`, and for the phone.
  package func newsForHost() throws(StoreFailure) -> Set<HostNews> {
    let phone = try phoneNews()
    // Without either channel, nothing has to be checked.
    let channels = settings.telling.channels.intersection([.desktop, .command])
    guard !channels.isEmpty, try !store.notices.channelsWithNews().isDisjoint(with: channels) else {
      return phone
    }
    var news: Set<MessageID> = []
    if channels.contains(.command), !settings.telling.command.isEmpty { news = try tellable(.command) }
    if channels.contains(.desktop), DesktopChannel.isThere(environment.variables) {
      news.formUnion(try tellable(.desktop))
    }
    return phone.union(news.map(HostNews.message))
  }
}
