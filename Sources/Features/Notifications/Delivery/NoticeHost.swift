import Basics
import Foundation
import HTTP
import Logging
import Messages
import Platform
package import Profile
import Settings
import Storage
import Words

/// Shows notifications on the desktop and runs `notify_command`, for all processes that use a database.
///
/// It is a separate process, since a desktop's daemon reports buttons only to the connection that showed a
/// notification. It ends when no notification is shown and none waits. The next process with a notification starts it
/// again.
package struct NoticeHost: Sendable {
  private let profile: Profile

  package init(_ profile: Profile) { self.profile = profile }

  /// Runs until there is nothing left to do. Returns immediately if another process is the host.
  package func run() async {
    let profile = profile
    await Blocking.run { NoticeHostLoop(profile).run() }
  }
}

/// The host's work on its own thread.
private final class NoticeHostLoop {
  private var profile: Profile
  private let desktop: DesktopChannel
  private let log: Logger?
  /// The last error, which is kept so that it is logged only once.
  private var trouble: String?
  private var wakeUp: WakeUp?
  /// The connection to the phone's server.
  private var transport: LiveTransport?
  /// The messages whose notification the desktop refused once while it showed others, with the time of the second
  /// attempt.
  private var refused: [MessageID: Date] = [:]

  /// The maximum time, in seconds, for which the host waits for a planned notification.
  private static let longestWait: TimeInterval = 90
  /// The time between two checks, in seconds, if the system reports no changes of files.
  private static let blindWait: TimeInterval = 2
  /// The time until a refused notification is tried once more, in seconds.
  private static let refusedWait: TimeInterval = 60

  init(_ profile: Profile) {
    self.profile = profile
    desktop = DesktopChannel(profile.environment)
    log = profile.logFile.map { path in
      FileLog(path: path, now: profile.environment.now).logger(label: "notices")
    }
  }

  private var store: Store { profile.store }
  private func now() -> Date { profile.environment.now() }

  func run() {
    do {
      // If the lock is held, another process has the work. It checks once more after it has released the lock.
      let hasDesktop = DesktopChannel.isThere(profile.environment.variables)
      while let lock = try store.tryLock(.noticeHost(hasDesktop: hasDesktop)) {
        wakeUp = wakeUp ?? WakeUp(store: store, settings: profile.settingsFile.paths)
        let left = try work()
        lock.release()
        guard try !profile.newsForHost().isSubset(of: left) else { break }
      }
    } catch {
      logTrouble((error as? any UserFacingError)?.sentence ?? "\(error)")
    }
    if let transport { Blocking.wait { await transport.shutdown() } }
  }

  /// Shows and withdraws notifications until none is shown and none is due soon.
  ///
  /// - Returns: the work that is still waiting, for example for the end of quiet hours.
  private func work() throws -> Set<HostNews> {
    while true {
      let next = try rounds()
      let stands = try !standing().isEmpty
      let wait = next.map { max(0.01, $0.timeIntervalSince(now())) } ?? .infinity
      guard stands || wait < Self.longestWait else { return try profile.newsForHost() }
      try sleep(min(wait, wakeUp?.isSeeing == true ? 86_400 : Self.blindWait))
    }
  }

  /// Returns the desktop's shown notifications that this connection can withdraw, because it showed them.
  private func standing() throws -> [StoredNotice] {
    let abilities = desktop.abilities
    return try store.notices.standing(on: .desktop).filter { $0.name.map(abilities.isOurs) ?? false }
  }

  /// Does one round for each channel.
  ///
  /// - Returns: the time of the next work if nothing else happens.
  private func rounds() throws -> Date? {
    let desktop = try desktopRound()
    return [desktop, try commandRound(), try phoneRound()].compactMap(\.self).min()
  }

  /// Shows and withdraws notifications on the desktop once. Returns the time of the next work there.
  private func desktopRound() throws -> Date? {
    let news = try store.notices.channelsWithNews().contains(.desktop)
    let known = try store.notices.standing(on: .desktop)
    guard try news || !known.isEmpty || !store.notices.unconfirmed(on: .desktop).isEmpty,
      DesktopChannel.isThere(profile.environment.variables)
    else { return nil }
    do {
      try desktop.connect()
      // A daemon's notifications disappear together with the daemon.
      let lost = known.filter { !($0.name.map(desktop.abilities.isOurs) ?? false) }
      try store.notices.end(lost.map(\.id))
      var abilities = desktop.abilities
      abilities.refused = refused
      guard let round = try NoticeRound.prepare(profile, abilities, at: now()) else { return nil }
      var results: [NoticeID: NoticeResult] = [:]
      var next = round.next
      do {
        for (_, name) in round.withdrawn { try desktop.withdraw(name) }
        if let again = try show(round.notices, &results) { next = min(again, next ?? again) }
      } catch {
        try round.finish(results)
        throw error
      }
      try round.finish(results)
      return next
    } catch let failure as BusFailure {
      logTrouble(failure.sentence)
      desktop.disconnect()
      return nil
    }
  }

  /// Shows all notifications. A notification that the desktop refuses does not delay the others: it is tried once more
  /// after a while, then given up.
  ///
  /// - Returns: the time of the next attempt for refused notifications.
  /// - Throws: if the desktop accepts no notification at all, so that the failure is not that of a single one.
  private func show(
    _ notices: [(content: NoticeContent, earlier: String?)], _ results: inout [NoticeID: NoticeResult]
  ) throws(BusFailure) -> Date? {
    var failed: [(content: NoticeContent, failure: BusFailure)] = []
    for (content, earlier) in notices {
      do throws(BusFailure) {
        results[content.id] = try desktop.show(content, replacing: earlier)
      } catch {
        guard case .failed = error else { throw error }
        failed.append((content, error))
      }
    }
    let isWorking = !results.isEmpty
    if isWorking { trouble = nil }
    var next: Date?
    for (content, failure) in failed {
      if content.messages.allSatisfy({ refused[$0] != nil }) {
        results[content.id] = .told
        for message in content.messages { refused[message] = nil }
        log?.warning("the desktop does not show \"\(content.title)\": \(failure.sentence)")
      } else if isWorking {
        let again = now().addingTimeInterval(Self.refusedWait)
        for message in content.messages { refused[message] = again }
        next = again
        logTrouble(failure.sentence)
      } else {
        throw failure
      }
    }
    return next
  }

  /// Runs `notify_command` once with the waiting notifications. Returns the time of the next work.
  private func commandRound() throws -> Date? {
    guard !profile.settings.telling.command.isEmpty else { return nil }
    let abilities = ChannelAbilities(channel: .command)
    guard let round = try NoticeRound.prepare(profile, abilities, at: now()) else { return nil }
    guard !round.notices.isEmpty else {
      try round.finish([:])
      return round.next
    }
    let (command, contents) = (NoticeCommand(profile), round.notices.map(\.content))
    if let failure = Blocking.wait({ await command.run(contents) }) { logTrouble(failure) }
    // A program that failed may still have shown all notifications.
    try round.finish(Dictionary(contents.map { ($0.id, .told) }, uniquingKeysWith: { first, _ in first }))
    return round.next
  }

  /// Sends and withdraws notifications on the phone once. Returns the time of the next work.
  private func phoneRound() throws -> Date? {
    guard profile.hasPhone,
      try store.notices.channelsWithNews().contains(.phone) || !profile.phoneNews().isEmpty
    else {
      return nil
    }
    let transport = transport ?? LiveTransport(profile.environment.transportOptions(profile.settings))
    self.transport = transport
    let delivery = PhoneDelivery(profile, transport: transport)
    let result = Blocking.wait { () async -> Result<Date?, StoreFailure> in
      do throws(StoreFailure) { return .success(try await delivery.send()) } catch { return .failure(error) }
    }
    if let failure = try store.phone.state()?.failure {
      logTrouble("the phone: \(profile.phoneReason(failure))")
    }
    return try result.get()
  }

  /// Waits until the time has passed, the desktop reports an event, or the database or the settings change.
  private func sleep(_ time: TimeInterval) throws {
    if !desktop.hasWaiting {
      let files = [wakeUp?.changes.descriptor ?? -1, desktop.descriptor ?? -1]
      _ = Descriptors.readable(files, within: .seconds(time))
    }
    if wakeUp?.readChanges() == true { readSettings() }
    do {
      while let event = try desktop.event(within: .zero) { try handle(event) }
    } catch let failure as BusFailure {
      logTrouble(failure.sentence)
      desktop.disconnect()
    }
  }

  /// Reads the settings again. The inbox reports errors in them; meanwhile the last valid settings apply.
  private func readSettings() {
    do {
      profile = try profile.withSettingsReadAgain()
    } catch {
      log?.notice("\((error as? any UserFacingError)?.sentence ?? "\(error)")")
    }
  }

  private func handle(_ event: DesktopChannel.Event) throws {
    switch event {
    case .gone: return
    case .closed(let name):
      try store.notices.end(store.notices.standing(on: .desktop).filter { $0.name == name }.map(\.id))
    case .answered(let name, let number):
      guard let notice = try store.notices.standing(on: .desktop).first(where: { $0.name == name }),
        notice.unread.count == 1, let question = try store.questions.find(notice.unread[0]),
        !question.isPermission
      else { return }
      let result = try store.questions.answer(notice.unread[0], number, at: now())
      // Its program waits on another machine.
      if result.isGiven, question.asker == nil {
        Blocking.wait { [profile] in try? await Synchroniser(profile).sendNow(anywhere: true) }
      }
    case .pressed(let name, let button):
      guard let notice = try store.notices.standing(on: .desktop).first(where: { $0.name == name }) else {
        return
      }
      let messages = notice.unread
      switch button {
      case .read: try store.acts.perform(.read(messages), at: now())
      case .later: try store.acts.perform(.snooze(messages, until: now() + Limits.laterSeconds), at: now())
      case .show:
        for id in messages.prefix(1) { try goToPane(of: id) }
      case .open:
        for id in messages.prefix(1) { try open(id) }
        try store.acts.perform(.read(messages), at: now())
      }
    }
  }

  private func goToPane(of id: MessageID) throws {
    guard let pane = try store.messages.find(id)?.content.extras?.pane else { return }
    let panes = Panes(profile.environment)
    Blocking.wait { _ = try? await panes.go(to: pane) }
  }

  private func open(_ id: MessageID) throws {
    guard let link = try store.messages.find(id)?.content.url else { return }
    let opener = LinkOpener(
      command: profile.settings.openCommand, environment: profile.environment.variables,
      programs: profile.environment.programs)
    guard !opener.command.usesTerminal else {
      return logTrouble("\(opener.setting) needs a terminal, which a notification does not have")
    }
    let failure = Blocking.wait { () -> String? in
      do throws(LinkOpener.Failure) {
        try await opener.open(link)
        return nil
      } catch {
        return error.reason
      }
    }
    if let failure { logTrouble(failure) }
  }

  private func logTrouble(_ sentence: String) {
    guard sentence != trouble else { return }
    trouble = sentence
    log?.warning("\(sentence)")
  }
}

/// Signals that the database or the settings have changed.
private final class WakeUp {
  let changes: Bell
  /// Whether the system reports changes of files.
  let isSeeing: Bool
  private let settingsChanges: Bell
  private let events: FileEvents?
  private let task: Task<Void, Never>?

  init?(store: Store, settings: [String]) {
    guard let changes = try? Bell(), let settingsChanges = try? Bell() else { return nil }
    (self.changes, self.settingsChanges) = (changes, settingsChanges)
    let database = store.path.map { [$0, $0 + "-wal"] } ?? []
    events = FileEvents(watching: database + settings, open: database)
    isSeeing = events != nil
    task = events.map { events in
      Task {
        for await changed in events.changes {
          if !changed.isDisjoint(with: settings) { settingsChanges.ring() }
          changes.ring()
        }
      }
    }
  }

  /// Marks the changes so far as read, so that only later ones wake the host.
  ///
  /// - Returns: whether the settings have changed since the last call.
  func readChanges() -> Bool {
    _ = changes.read()
    return settingsChanges.read()
  }

  deinit {
    task?.cancel()
    events?.cancel()
  }
}

extension Profile {
  /// Starts the host if there is work for it. The host continues after this process has exited.
  ///
  /// - Returns: the reason why it could not be started, as a sentence.
  package func startNoticeHost() async -> String? {
    do {
      guard !noticeHost.isEmpty, let path = store.path, try !newsForHost().isEmpty else { return nil }
      try await environment.programs.detach(
        noticeHost + ["--database", path, "--config", settingsFile.path], environment: environment.variables)
      return nil
    } catch {
      return "notifications cannot be shown: \((error as? any UserFacingError)?.sentence ?? "\(error)")"
    }
  }

  /// Waits until the host has shown all notifications, a few seconds at most.
  package func waitForNotices() async throws {
    let elapsed = environment.timer.stopwatch()
    while try !newsForHost().isEmpty, elapsed() < Limits.longestNoticeWait {
      try await environment.timer.sleep(for: .milliseconds(100))
    }
  }
}
