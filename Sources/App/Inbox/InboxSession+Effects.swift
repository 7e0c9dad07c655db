import Foundation
import Interface
import Messages
import Polling
import Schedules
import Screen
import Storage
import Synchronization

@MainActor
extension InboxSession {
  func perform(_ effect: Effect) {
    switch effect {
    case .load(let query, let window):
      wanted = (query, window)
      reload()
    case .loadMessage(let id):
      read({ store throws(StoreFailure) in try store.message(id) }) { session, message in
        session.happened(.messageLoaded(id, message.map(session.workspace.presented)))
      }
    case .findUnread(let query, let key, let forward):
      read({ store throws(StoreFailure) in
        try store.nextUnread(after: key, query: query, forward: forward)
      }) { session, found in session.happened(.unreadFound(query, found)) }
    case .perform(let act):
      let now = workspace.surroundings.now()
      write { store throws(StoreFailure) in try store.perform(act, at: now) }
    case .undo:
      let now = workspace.surroundings.now()
      write({ store throws(StoreFailure) in try store.undo(at: now) }) { session, undone in
        session.happened(.undone(undone.map(UserAct.init)))
      }
    case .snooze(let id, let text): snooze(id, text)
    case .markSeen(let scope): write(isAct: false) { store throws(StoreFailure) in try store.markSeen(scope) }
    case .refresh(let source): refresh(source, .soft)
    case .refreshNow(let source): refresh(source, .forced)
    case .loadTimeline(let source):
      read({ store throws(StoreFailure) in try store.attempts(of: source, limit: 200) }) {
        session, attempts in
        session.happened(.timelineLoaded(source, attempts))
      }
    case .addSource(let address): add(address)
    case .openLink(let link): open(link)
    case .drawPicture(let request):
      Task { [weak self, pictures] in
        let answer = await pictures.draw(request)
        self?.happened(.pictureAnswered(request, answer))
      }
    case .copy(let text): screen.copyToClipboard(text)
    case .scheduleTick:
      Task { [weak self] in
        try? await Task.sleep(for: .milliseconds(100))
        self?.happened(.ticked)
      }
    case .scheduleSlide:
      let start = ContinuousClock.now
      Task { [weak self] in
        try? await Task.sleep(for: .milliseconds(40))
        // Where drawing takes longer than that, steps are left out: a slow line sees it arrive at once.
        let late = Int((ContinuousClock.now - start) / .milliseconds(40))
        self?.happened(.slid(steps: max(1, late)))
      }
    // A column is 8 points wide, a row 16 high (section 9).
    case .bannerLaidOut(let size):
      stage?.laidOut(width: Double(size.columns) * 8, height: Double(size.rows) * 16)
    case .pressBanner(let action): stage?.press(action)
    case .closeBanner: stage?.dismissed()
    case .redraw: screen.redraw()
    case .suspend: screen.suspendProcess()
    case .quit: end(nil)
    }
  }

  func end(_ signal: Int32?) {
    ending?.resume(returning: signal)
    ending = nil
  }

  /// Reads the wanted list anew. Of several reads only the last is shown, and changes during a read ask for one more.
  func reload() {
    loads += 1
    let (load, query, window) = (loads, wanted.query, wanted.window)
    read({ store throws(StoreFailure) in try store.snapshot(query, window) }) { session, snapshot in
      guard load == session.loads else { return }
      session.happened(.inboxChanged(snapshot))
    }
  }

  func read<Value: Sendable>(
    _ work: @escaping @Sendable (Store) throws(StoreFailure) -> Value,
    then: @escaping @MainActor (InboxSession, Value) -> Void
  ) {
    Task { [weak self, reader] in
      do {
        let value = try await reader.read(work)
        if let self { then(self, value) }
      } catch {
        self?.report(error)
      }
    }
  }

  /// - Parameter isAct: whether a person asked for it, and would do it again were it lost.
  func write<Value: Sendable>(
    isAct: Bool = true,
    _ work: @escaping @Sendable (Store) throws(StoreFailure) -> Value,
    then: @escaping @MainActor (InboxSession, Value) -> Void = { _, _ in }
  ) {
    let store = workspace.store
    if isAct { unwritten.withLock { $0 += 1 } }
    let task = Task { [weak self] in
      do {
        let value = try await store.inBackground(work)
        if let self { then(self, value) }
      } catch {
        self?.report(error)
      }
      if isAct { self?.unwritten.withLock { $0 -= 1 } }
    }
    finishBeforeEnd(task)
  }

  /// What a person asked for is done before the inbox ends, as far as that can be waited for.
  func finishBeforeEnd(_ task: Task<Void, Never>) {
    writes.append(task)
    if writes.count > 64 { writes.removeFirst(32) }
  }

  func refresh(_ source: SourceID?, _ trigger: PollTrigger) {
    Task { [weak self, poller] in
      if let source {
        let result = await poller.refresh(source, trigger)
        self?.happened(.refreshEnded(source, result))
      } else if trigger == .soft {
        _ = await poller.refreshAll(trigger)
      } else {
        await withTaskGroup(of: (SourceID, RefreshResult).self) { group in
          for source in self?.workspace.sources ?? [] {
            group.addTask { (source.id, await poller.refresh(source.id, trigger)) }
          }
          for await (source, result) in group { self?.happened(.refreshEnded(source, result)) }
        }
      }
    }
  }

  func open(_ link: String) {
    let surroundings = workspace.surroundings
    let opener = LinkOpener(
      command: workspace.settings.openCommand, environment: surroundings.environment,
      programs: surroundings.programs)
    finishBeforeEnd(
      Task { [weak self] in
        do throws(LinkOpener.Failure) {
          try await opener.open(link)
        } catch {
          self?.happened(.linkFailed(address: link, reason: error.reason))
        }
      })
  }

  /// Messages that came with a sound ring once, however many they are.
  func sound(_ ids: [MessageID]) {
    let newest = Array(ids.suffix(100))
    read({ store throws(StoreFailure) in
      for id in newest.reversed() {
        if let sound = try store.message(id)?.content.extras?.sound { return sound }
      }
      return nil
    }) { (session, sound: String?) in
      guard let sound else { return }
      let surroundings = session.workspace.surroundings
      let player = SoundPlayer(
        command: session.workspace.settings.soundCommand, environment: surroundings.environment,
        programs: surroundings.programs)
      Task { [screen = session.screen] in
        if await !player.play(sound) { screen.ringBell() }
      }
    }
  }

  func snooze(_ id: MessageID, _ text: String) {
    let surroundings = workspace.surroundings
    let now = surroundings.now()
    guard let until = SnoozeTime.parse(text, now: now, zone: surroundings.zone()) else {
      // On the next turn: this is called while another action is being taken in.
      Task { [weak self] in self?.happened(.snoozed(id, until: nil, text: text)) }
      return
    }
    write({ store throws(StoreFailure) in try store.perform(.snooze([id], until: until), at: now) }) {
      session, _ in
      session.happened(.snoozed(id, until: until, text: text))
      session.scheduleTransition()
    }
  }

  func add(_ address: String) {
    Task { [weak self] in
      guard let self else { return }
      let answer = await SourceAdder(workspace).answer(to: address)
      if case .added = answer { await reopenSettings() }
      happened(.addAnswered(answer))
    }
  }
}
