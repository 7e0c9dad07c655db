import Foundation
import Interface
import Logging
import Messages
import Notices
import Schedules
import Screen
import Storage

/// Telling of messages while the inbox runs: by its terminal here, on the desktop and by a program through the host.
@MainActor
extension InboxSession {
  /// What this inbox knows of its notices.
  struct Telling {
    /// The round that is under way.
    var round: Task<Void, Never>?
    /// Something changed meanwhile.
    var isDueAgain = false
    /// The next look, though nothing else happens.
    var next: Task<Void, Never>?
    /// What the host was started for.
    var handed: Set<MessageID> = []
    /// When the person pressed a key last.
    var lastInput: Date?
    /// Whether the terminal reports its focus.
    var reportsFocus = false
    /// What was on the screen when the terminal lost the focus last: its arrival may not have been handled yet.
    var lastInSight: Set<MessageID> = []
    /// When that was.
    var lookedUntil = Date.distantPast
    /// What went wrong: each trouble is told once.
    var troubles: Set<String> = []
  }

  /// Names of notices in this terminal begin so.
  private static let ownName = "terminal-\(getpid())-"

  /// Nobody is told of what came before the inbox was opened: its list shows that.
  func startTelling() {
    let (store, now) = (workspace.store, workspace.environment.now())
    Task { [weak self] in
      do {
        try await store.inBackground { store throws(StoreFailure) in
          try store.endWaiting(on: [.terminal, .bell], before: now)
          // Those of inboxes that ended.
          let lost = try store.standing(on: .terminal).filter { !Self.isAlive($0.name ?? "") }
          try store.end(lost.map(\.id))
        }
      } catch {
        self?.report(error)
      }
      self?.tell()
    }
  }

  nonisolated private static func isAlive(_ name: String) -> Bool {
    let parts = name.split(separator: "-")
    guard parts.count > 2, let process = pid_t(parts[1]) else { return false }
    return kill(process, 0) == 0 || errno == EPERM
  }

  func noteInput(_ input: InputEvent) {
    if case .focus(let hasFocus) = input {
      telling.reportsFocus = true
      if !hasFocus, state.terminal.hasFocus {
        telling.lastInSight = state.messagesInSight
        telling.lookedUntil = workspace.environment.now()
      }
    } else {
      telling.lastInput = workspace.environment.now()
    }
  }

  /// Looks for something to tell, after every change of the store.
  func tell() {
    guard !workspace.settings.telling.channels.isEmpty else { return }
    guard telling.round == nil else {
      telling.isDueAgain = true
      return
    }
    telling.next?.cancel()
    telling.round = Task { [weak self] in
      var next: Date?
      repeat {
        self?.telling.isDueAgain = false
        do {
          next = try await self?.tellOnce()
        } catch {
          self?.report(error)
        }
      } while self?.telling.isDueAgain == true
      self?.telling.round = nil
      if let next { self?.tell(at: next) }
    }
  }

  private func tell(at instant: Date) {
    let wait = min(86_400, max(0.01, instant.timeIntervalSince(workspace.environment.now())))
    telling.next = Task { [weak self] in
      // Only a cancellation ends a sleep early.
      guard (try? await Task.sleep(for: .seconds(wait), clock: .continuous)) != nil else { return }
      self?.telling.next = nil
      self?.tell()
    }
  }

  /// - Returns: when to look again though nothing else happens.
  private func tellOnce() async throws -> Date? {
    let store = workspace.store
    let news = try await store.inBackground { store throws(StoreFailure) in try store.channelsWithNews() }
    if !news.isEmpty { try await leaveOutWhatIsSeen(news) }
    var next: Date?
    // A program has the terminal: its screen is not ours.
    if foreground == nil {
      for channel in [NoticeChannel.terminal, .bell] {
        let found = try await round(channel)
        next = [next, found].compactMap(\.self).min()
      }
    }
    if !news.isDisjoint(with: [.desktop, .command]) { try await handOver() }
    if foreground != nil, !news.isDisjoint(with: [.terminal, .bell]) {
      next = workspace.environment.now().addingTimeInterval(2)
    }
    guard !news.isEmpty else { return next }
    let quiet = Quiet(
      hours: workspace.settings.telling.quiet,
      asked: try await store.inBackground { store throws(StoreFailure) in try store.quiet() })
    let now = workspace.environment.now()
    if case .on(let until?, _) = quiet.state(at: now, in: workspace.environment.zone()) {
      telling.handed = []
      next = min(until, next ?? until)
    }
    return next
  }

  /// Nothing is told of what is on the focused screen.
  private func leaveOutWhatIsSeen(_ news: Set<NoticeChannel>) async throws {
    guard isLookedAt || !telling.lastInSight.isEmpty else { return }
    let waiting = try await workspace.store.inBackground { store throws(StoreFailure) in
      var waiting: [WaitingMessage] = []
      for channel in news { waiting += try store.waiting(for: channel) }
      return waiting
    }
    let (isLookedAt, telling) = (isLookedAt, telling)
    let seen = waiting.filter {
      isLookedAt && state.shows($0.message, of: $0.source)
        || telling.lastInSight.contains($0.message) && $0.at <= telling.lookedUntil
    }
    guard !seen.isEmpty else { return }
    try await workspace.store.inBackground { store throws(StoreFailure) in
      try store.seeWaiting(Array(Set(seen.map(\.message))))
    }
  }

  /// By the terminal's own word; where it says nothing of its focus, by whether a key was pressed lately.
  private var isLookedAt: Bool {
    guard state.terminal.hasFocus else { return false }
    if telling.reportsFocus { return true }
    guard let last = telling.lastInput else { return false }
    return (0..<60).contains(workspace.environment.now().timeIntervalSince(last))
  }

  private func round(_ channel: NoticeChannel) async throws -> Date? {
    let workspace = workspace
    let now = workspace.environment.now()
    let hasIdentity = channel == .terminal && screen.hasIdentifiedNotices
    let ownName = Self.ownName
    let abilities = ChannelAbilities(
      channel: channel, canReplace: hasIdentity, canRepeat: hasIdentity,
      isOurs: { $0.hasPrefix(ownName) })
    let prepared = try await workspace.store.inBackground { _ throws(StoreFailure) in
      try NoticeRound.prepare(workspace, abilities, at: now)
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
    try await workspace.store.inBackground { _ throws(StoreFailure) in try prepared.finish(ended) }
    return prepared.next
  }

  /// Has the host tell, if there is something that it was not started for.
  private func handOver() async throws {
    let workspace = workspace
    let waiting = try await workspace.store.inBackground { _ throws(StoreFailure) in
      try workspace.newsForHost()
    }
    guard !waiting.isSubset(of: telling.handed) else { return }
    telling.handed = waiting
    guard let trouble = await workspace.startNoticeHost(), telling.troubles.insert(trouble).inserted else {
      return
    }
    log?.warning("\(trouble)")
    happened(.noticeFailed(reason: trouble))
  }

  func beQuiet(_ text: String, _ request: RequestID) {
    let now = workspace.environment.now()
    let isEnd = text.lowercased() == "off"
    let until = isEnd ? nil : SnoozeTime.parse(text, now: now, zone: workspace.environment.zone())
    guard isEnd || until != nil else { return answer(.quietRefused(request, text: text)) }
    acts.write({ store in
      if let until { try store.setQuiet(until: until, at: now) } else { try store.endQuiet(at: now) }
    }) { session, result in
      switch result {
      case .success:
        session.happened(.quieted(request, until: until))
        session.tell()
      case .failure(let failure): session.report(failure)
      }
    }
  }

  /// What stands in this terminal goes with the inbox.
  func endTelling() async {
    telling.next?.cancel()
    await telling.round?.value
    let (store, ownName) = (workspace.store, Self.ownName)
    guard screen.hasIdentifiedNotices else { return }
    do {
      try await store.inBackground { store throws(StoreFailure) in
        let own = try store.standing(on: .terminal).filter { $0.name?.hasPrefix(ownName) == true }
        try store.end(own.map(\.id))
      }
    } catch {
      report(error)
    }
  }
}
