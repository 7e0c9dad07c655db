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

/// Shows notices while the inbox runs: by its terminal here, on the desktop and by a program through the host.
@MainActor
final class NoticeTelling {
  private let loop: InboxLoop
  private let programs: ProgramRuns
  private lazy var repeated = RepeatedLook(loop) { [weak self] in try await self?.lookOnce() }
  /// What the host was started for.
  private var handed: Set<MessageID> = []
  /// When the person pressed a key last.
  private var lastInput: Date?
  /// Whether the terminal reports its focus.
  private var reportsFocus = false
  /// What was on the screen when the terminal lost the focus last: its arrival may not have been handled yet.
  private var lastInSight: Set<MessageID> = []
  /// When that was.
  private var lookedUntil = Date.distantPast
  /// What went wrong: each trouble is shown once.
  private var troubles: Set<String> = []

  /// Names of notices in this terminal begin with it.
  private static let ownName = "terminal-\(getpid())-"

  init(_ loop: InboxLoop, _ programs: ProgramRuns) {
    self.loop = loop
    self.programs = programs
  }

  /// Nobody is told of what came before the inbox was opened: its list shows that.
  func start() {
    let (store, now) = (loop.profile.store, loop.profile.environment.now())
    Task { [weak self] in
      do {
        try await store.inBackground { store throws(StoreFailure) in
          try store.notices.endWaiting(on: [.terminal, .bell], before: now)
          // Those of inboxes that ended.
          let lost = try store.notices.standing(on: .terminal).filter { !Self.isAlive($0.name ?? "") }
          try store.notices.end(lost.map(\.id))
        }
      } catch {
        self?.loop.report(error)
      }
      self?.look()
    }
  }

  nonisolated private static func isAlive(_ name: String) -> Bool {
    let parts = name.split(exactly: "-")
    guard parts.count > 2, let process = pid_t(parts[1]) else { return false }
    return kill(process, 0) == 0 || errno == EPERM
  }

  /// Before the input is handled: remembers what the person has seen.
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

  /// Looks for something to tell, after every change of the store.
  func look() { repeated.look() }

  /// - Returns: when to look again though nothing else happens.
  private func lookOnce() async throws -> Date? {
    guard !loop.profile.settings.telling.channels.isEmpty else { return nil }
    let store = loop.profile.store
    let news = try await store.inBackground { store throws(StoreFailure) in
      try store.notices.channelsWithNews()
    }
    if !news.isEmpty { try await leaveOutWhatIsSeen(news) }
    var next: Date?
    // A program has the terminal: its screen is not ours.
    if !programs.haveTerminal {
      for channel in [NoticeChannel.terminal, .bell] {
        let found = try await show(on: channel)
        next = [next, found].compactMap(\.self).min()
      }
    }
    if !news.isDisjoint(with: [.desktop, .command]) { try await handOver() }
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

  /// Nothing is told of what is on the focused screen.
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

  /// By the terminal's own word; where it says nothing of its focus, by whether a key was pressed lately.
  private var isLookedAt: Bool {
    guard loop.state.terminal.hasFocus else { return false }
    if reportsFocus { return true }
    guard let last = lastInput else { return false }
    return (0..<60).contains(loop.profile.environment.now().timeIntervalSince(last))
  }

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

  /// Has the host tell, if there is something that it was not started for.
  private func handOver() async throws {
    let profile = loop.profile
    let waiting = try await profile.store.inBackground { _ throws(StoreFailure) in
      try profile.newsForHost()
    }
    guard !waiting.isSubset(of: handed) else { return }
    handed = waiting
    guard let trouble = await profile.startNoticeHost(), troubles.insert(trouble).inserted else { return }
    loop.log?.warning("\(trouble)")
    loop.happened(.noticeFailed(reason: trouble))
  }

  /// What stands in this terminal goes with the inbox.
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
