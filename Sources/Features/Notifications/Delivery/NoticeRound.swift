package import Foundation
package import Messages
import Platform
package import Profile
import Queries
import Settings
package import Storage

/// What one channel can do.
package struct ChannelAbilities: Sendable {
  package var channel: NoticeChannel
  /// A notice of ours that stands can be replaced by another one.
  package var canReplace = false
  /// A notice that a process showed, which ended before it confirmed that, can be shown once more without being there twice.
  package var canRepeat = false
  /// Notices that this process can replace and take back, by what the channel knows them by.
  package var isOurs: @Sendable (String) -> Bool = { _ in true }
  /// Messages that it has refused to show while it showed others, with the time before which it isn't asked again.
  package var refused: [MessageID: Date] = [:]

  package init(
    channel: NoticeChannel, canReplace: Bool = false, canRepeat: Bool = false,
    isOurs: @escaping @Sendable (String) -> Bool = { _ in true }
  ) {
    (self.channel, self.canReplace, self.canRepeat, self.isOurs) = (channel, canReplace, canRepeat, isOurs)
  }
}

/// What became of one notice.
package enum NoticeResult: Hashable, Sendable {
  /// It stands, and can be taken back by this name.
  case stands(name: String)
  /// Nobody can take it back.
  case told
  /// Not now: its messages wait again.
  case notNow
}

/// One round of a channel: everything that is to be shown and taken back now. It holds the channel's lock, so that two
/// processes never tell of one message.
///
/// Prepare it, show its notices, then finish it, whatever became of them.
package struct NoticeRound: Sendable {
  /// To be shown in this order; with the name of the notice that one replaces.
  package private(set) var notices: [(content: NoticeContent, earlier: String?)] = []
  /// What stands and nobody needs any more, with the names that the channel knows.
  package private(set) var withdrawn: [(id: NoticeID, name: String)] = []
  /// When there may be something to tell though nothing else happens.
  package private(set) var next: Date?
  /// Whether something of ours stands, or will after this round.
  private(set) var hasStanding = false

  private let lock: StoreLock?
  private let store: Store

  /// How long a round of another process is waited for.
  private static let retry: TimeInterval = 1

  /// - Returns: nil if there is nothing to do. May write.
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
    // By a process that ended, since we hold the lock.
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

  /// Leaves everything claimed, as the end of the process would; for tests.
  func abandon() { lock?.release() }

  /// - Parameter results: by notice; what is missing was not shown.
  package func finish(_ results: [NoticeID: NoticeResult]) throws(StoreFailure) {
    defer { lock?.release() }
    try store.notices.end(withdrawn.map(\.id))
    for (content, _) in notices {
      switch results[content.id] ?? .notNow {
      case .stands(let name): try store.notices.confirm(content.id, named: name)
      case .told: try store.notices.confirm(content.id, named: nil)
      case .notNow: try store.notices.giveBack(content.id)
      }
    }
  }
}

extension Profile {
  /// What may be told while it is quiet: what is urgent, and what all hours that hold allow.
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

  /// What waits for a channel and is not held back.
  func tellable(_ channel: NoticeChannel) throws(StoreFailure) -> Set<MessageID> {
    let waiting = try store.notices.waiting(for: channel)
    if waiting.isEmpty { return [] }
    let now = environment.now()
    let quiet = Quiet(hours: settings.telling.quiet, asked: try store.notices.quiet())
    let state = quiet.state(at: now, in: environment.clock())
    return state == .off ? Set(waiting.map(\.message)) : try allowed(waiting, in: state, at: now)
  }

  /// What the host could tell of now: for the desktop, where there is one, and for `notify_command`.
  package func newsForHost() throws(StoreFailure) -> Set<MessageID> {
    // Without either nothing is even looked at.
    let channels = settings.telling.channels.intersection([.desktop, .command])
    guard !channels.isEmpty, try !store.notices.channelsWithNews().isDisjoint(with: channels) else {
      return []
    }
    var news: Set<MessageID> = []
    if channels.contains(.command), !settings.telling.command.isEmpty { news = try tellable(.command) }
    if channels.contains(.desktop), DesktopChannel.isThere(environment.variables) {
      news.formUnion(try tellable(.desktop))
    }
    return news
  }
}
