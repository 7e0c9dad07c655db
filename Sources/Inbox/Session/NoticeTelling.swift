import Basics
import Calendars
import Foundation
import Interface
import Logging
import Messages
import Notifications
import Platform
import Profile
import Queries
import Screen
import Settings
import Storage

/// Shows notifications while the inbox runs. This object shows those of its terminal; the notification host, a separate
/// process, shows those of the desktop and those of a program.
@MainActor
final class NoticeTelling {
  private let loop: InboxLoop
  private let programs: ProgramRuns
  private lazy var repeated = RepeatedLook(loop) { [weak self] in try await self?.lookOnce() }
  /// The notifications (to show, to send again or to withdraw) for which the notification host, a separate
  /// process, was started.
  private var handed: Set<HostNews> = []
  /// The time of the user's last key.
  private var lastInput: Date?
  /// Whether the terminal reports its focus.
  private var reportsFocus = false
  /// The visible messages when the terminal last lost the focus: their arrival may not have been handled yet.
  private var lastInSight: Set<MessageID> = []
  /// The time at which the terminal lost the focus.
  private var lookedUntil = Date.distantPast
  /// The errors so far: each is shown once.
  private var troubles: Set<String> = []

  /// The beginning of the names of notifications in this terminal.
  private static let ownName = "terminal-\(getpid())-"

  init(_ loop: InboxLoop, _ programs: ProgramRuns) {
    self.loop = loop
    self.programs = programs
  }

  /// Starts without notifications for messages from before the inbox was opened, since its list shows them.
  func start() {
    let (store, now) = (loop.profile.store, loop.profile.environment.now())
    Task { [weak self] in
      do {
        try await store.inBackground { store throws(StoreFailure) in
          try store.notices.endWaiting(on: [.terminal, .bell], before: now)
          // These are of inboxes that ended.
          let lost = try store.notices.standing(on: .terminal).filter { !Self.isAlive($0.name ?? "") }
          try store.notices.end(lost.map(\.id))
        }
      } catch {
        self?.loop.report(error)
      }
      self?.look()
    }
  }

  /// Whether the inbox that showed the notification with this name still runs.
  nonisolated private static func isAlive(_ name: String) -> Bool {
    let parts = name.split(onBytes: "-")
    guard parts.count > 2, let process = pid_t(parts[1]) else { return false }
    return kill(process, 0) == 0 || errno == EPERM
  }

  /// Remembers the messages that the user has seen, before the input is handled.
  func inputArrived(_ input: InputEvent) {
    let now = loop.profile.environment.now()
    guard case .focus(let hasFocus) = input else {
      lastInput = now
      return
    }
    reportsFocus = true
    if !hasFocus, loop.state.terminal.hasFocus {
      lastInSight = loop.state.messagesInSight
      lookedUntil = now
    }
  }

  /// Checks for notifications, after every change of the store.
  func look() { repeated.look() }

  /// Shows the notifications that wait, except those of messages that the user sees.
  ///
  /// - Returns: the time of the next check if nothing else happens.
  private func lookOnce() async throws -> Date? {
    guard !loop.profile.settings.telling.channels.isEmpty else { return nil }
    let store = loop.profile.store
    let news = try await store.inBackground { store throws(StoreFailure) in
      try store.notices.channelsWithNews()
    }
    if !news.isEmpty { try await leaveOutWhatIsSeen(news) }
    var next: Date?
    // If a program uses the terminal, its screen is not ours.
    if !programs.haveTerminal {
      for channel in [NoticeChannel.terminal, .bell] {
        let found = try await show(on: channel)
        next = [next, found].compactMap(\.self).min()
      }
    }
    let profile = loop.profile
    if profile.hasPhone || !news.isDisjoint(with: [.desktop, .command]) { try await handOver() }
    if profile.hasPhone {
      let retry = try await store.inBackground { _ throws(StoreFailure) in try profile.phoneRetry() }
      next = [next, retry].compactMap(\.self).min()
    }
    let (environment, telling) = (loop.profile.environment, loop.profile.settings.telling)
    if programs.haveTerminal, !news.isDisjoint(with: [.terminal, .bell]) {
      next = environment.now().addingTimeInterval(2)
    }
    guard !news.isEmpty else { return next }
    let quiet = Quiet(
      hours: telling.quiet,
      asked: try await store.inBackground { store throws(StoreFailure) in try store.notices.quiet() })
    if case .on(let until?, _) = quiet.state(at: environment.now(), in: environment.clock()) {
      handed = []
      next = min(until, next ?? until)
    }
    return next
  }

  /// Drops notifications of messages that are on the focused screen.
  private func leaveOutWhatIsSeen(_ news: Set<NoticeChannel>) async throws {
    guard isLookedAt || !lastInSight.isEmpty else { return }
    let store = loop.profile.store
    let waiting = try await store.inBackground { store throws(StoreFailure) in
      var waiting: [WaitingMessage] = []
      for channel in news { waiting += try store.notices.waiting(for: channel) }
      return waiting
    }
    let (isLookedAt, state) = (isLookedAt, loop.state)
    let seen = waiting.filter {
      isLookedAt && state.shows($0.message, of: $0.source)
        || lastInSight.contains($0.message) && $0.at <= lookedUntil
    }
    guard !seen.isEmpty else { return }
    try await store.inBackground { store throws(StoreFailure) in
      try store.notices.dropWaiting(Array(Set(seen.map(\.message))))
    }
  }

  /// Whether the user is looking at the screen: by the terminal's own report, or, if it does not report its focus, by
  /// whether a key was pressed recently.
  private var isLookedAt: Bool {
    guard loop.state.terminal.hasFocus else { return false }
    if reportsFocus { return true }
    guard let last = lastInput else { return false }
    return (0..<60).contains(loop.profile.environment.now().timeIntervalSince(last))
  }

  /// Shows the waiting notifications of a channel, and returns the time of the next one.
  private func show(on channel: NoticeChannel) async throws -> Date? {
    let (profile, screen) = (loop.profile, loop.screen)
    let now = profile.environment.now()
    let hasIdentity = channel == .terminal && screen.hasIdentifiedNotices
    let ownName = Self.ownName
    let abilities = ChannelAbilities(
      channel: channel, canReplace: hasIdentity, canRepeat: hasIdentity,
      isOurs: { $0.hasPrefix(ownName) })
    let prepared = try await profile.store.inBackground { _ throws(StoreFailure) in
      try NoticeRound.prepare(profile, abilities, at: now)
    }
    guard let prepared else { return nil }
    for (_, name) in prepared.withdrawn { screen.withdrawNotice(String(name.dropFirst(ownName.count))) }
    var results: [NoticeID: NoticeResult] = [:]
    if channel == .bell, !prepared.notices.isEmpty { screen.ringBell() }
    for (content, _) in prepared.notices {
      guard channel == .terminal else {
        results[content.id] = .told
        continue
      }
      let id = "reddot-\(content.id.rawValue)"
      screen.show(
        ScreenNotice(
          id: id, title: SafeText(untrusted: content.title),
          body: SafeText(untrusted: content.body.joined(separator: " · ")), isUrgent: content.isUrgent))
      results[content.id] = hasIdentity ? .stands(name: ownName + id) : .told
    }
    let ended = results
    try await profile.store.inBackground { _ throws(StoreFailure) in try prepared.finish(ended) }
    return prepared.next
  }

  /// Starts the notification host if there are notifications to show or to withdraw for which it was not
  /// started yet.
  private func handOver() async throws {
    let profile = loop.profile
    let waiting = try await profile.store.inBackground { _ throws(StoreFailure) in
      try profile.newsForHost()
    }
    // A notification that failed waits again later, and the host has ended meanwhile.
    handed.formIntersection(waiting)
    guard !waiting.isSubset(of: handed) else { return }
    handed = waiting
    guard let trouble = await profile.startNoticeHost(), troubles.insert(trouble).inserted else { return }
    loop.log?.warning("\(trouble)")
    loop.happened(.failed(.notice(reason: trouble)))
  }

  /// Withdraws the notifications of this terminal when the inbox ends.
  func end() async {
    await repeated.stop()
    let (store, ownName) = (loop.profile.store, Self.ownName)
    guard loop.screen.hasIdentifiedNotices else { return }
    do {
      try await store.inBackground { store throws(StoreFailure) in
        let own = try store.notices.standing(on: .terminal).filter { $0.name?.hasPrefix(ownName) == true }
        try store.notices.end(own.map(\.id))
      }
    } catch {
      loop.report(error)
    }
  }
}
