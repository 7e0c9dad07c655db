import Foundation
import Interface
import Logging
import Messages
import Polling
import Programs
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
      let written = written
      read({ store throws(StoreFailure) in try store.message(id) }) { session, message in
        session.happened(
          .messageLoaded(id, message.map(session.workspace.presented), including: written))
      }
    case .loadNames(let request):
      read({ store throws(StoreFailure) in try store.queryNames() }) { session, names in
        session.happened(.namesLoaded(request, names))
      }
    case .findUnread(let query, let key, let forward, let request):
      search(
        query,
        { store throws(StoreFailure) in
          try store.nextUnread(after: key, query: query, forward: forward)
        }
      ) { session, found in session.happened(.unreadFound(request, found)) }
    case .findHits(let query):
      search(
        query,
        { store throws(StoreFailure) in
          try store.hits(query, limit: InboxQuery.mostHits + 1)
        }
      ) { session, keys in session.happened(.hitsFound(query, keys)) }
    case .perform(let act, let id):
      let now = workspace.environment.now()
      write(id, { store in try store.perform(act, at: now) }) { session, changed in
        session.happened(.performed(id, changed: changed))
      }
    case .undo(let id): undo(id)
    case .snooze(let selection, let text, let act, let request): snooze(selection, text, act, request)
    case .beQuiet(let text, let request): beQuiet(text, request)
    case .markSeen(let scope):
      acts.write(isAct: false, { store in try store.markSeen(scope) }) {
        session, result in
        if case .failure(let failure) = result { session.report(failure) }
      }
    case .refresh(let sources): refresh(sources, .soft)
    case .refreshNow(let sources): refresh(sources, .forced)
    case .loadForm(let subject, let request): loadForm(subject, request)
    case .saveForm(let form, let request): saveForm(form, request)
    case .loadRuleOrigin(let id, let request): loadRuleOrigin(id, request)
    case .tryRule(let request): tryRule(request)
    case .stopRuleTrial: ruleTrial?.cancel()
    case .saveRule(let draft, let request): save(draft, request)
    case .applyRule(let name, let act): applyRule(named: name, act)
    case .changeSource(let source, let change, let request): self.change(source, change, request)
    case .removeSource(let source, let title, let act): remove(source, called: title, act)
    case .editSettings(let source): editSettings(line: line(of: source))
    case .editSettingsOfList(let list): editSettings(line: line(of: list))
    case .removeList(let name, let act): remove(listNamed: name, act)
    case .swapLists(let list, let other, let request): swap(list, other, request)
    case .saveList(let name, let query, let request): saveList(name, query, request)
    case .remember(let name, let value):
      acts.write(isAct: false, { store in try store.setPreference(name, to: value) }) {
        session, result in
        if case .failure(let failure) = result { session.report(failure) }
      }
    case .loadTimeline(let source):
      read({ store throws(StoreFailure) in try store.attempts(of: source, limit: 200) }) {
        session, attempts in
        session.happened(.timelineLoaded(source, attempts))
      }
    case .addSource(let address, let request): add(address, request)
    case .findAddresses(let ids, let request):
      read({ store throws(StoreFailure) in
        var addresses: [MessageID: String] = [:]
        for id in ids { addresses[id] = try store.message(id)?.content.url }
        return addresses
      }) { session, addresses in session.happened(.addressesFound(request, addresses)) }
    case .performAction(let action, let message): perform(action, of: message)
    case .openLink(let link): open(link)
    case .openEnclosure(let link): open(link, isEnclosure: true)
    case .pipe(let given, let form, let command): pipe(given, form, into: command)
    case .save(let given, let path, let replacing, let request):
      save(given, path, replacing: replacing, request)
    case .run(let words, let inTerminal): run(words, inTerminal: inTerminal)
    case .showInPager(let id): showInPager(id)
    case .layOut(let request): layOut(request)
    case .layOutView(let request): layOut(request)
    case .findArticle(let request): find(request)
    case .drawPicture(let request): draw(request)
    case .cancelPictures(let requests):
      for request in requests { drawings.removeValue(forKey: request)?.cancel() }
    case .copy(let text, let request): copy(text, request)
    // Only a cancellation ends a sleep early, and nothing cancels these tasks: `try?` hides no failure.
    case .scheduleTick:
      Task { [weak self] in
        try? await Task.sleep(for: .milliseconds(100))
        self?.happened(.ticked)
      }
    case .scheduleSecond:
      Task { [weak self] in
        try? await Task.sleep(for: .seconds(1))
        self?.happened(.secondPassed)
      }
    case .scheduleWaitEnd(let wait):
      Task { [weak self] in
        try? await Task.sleep(for: .seconds(1))
        self?.happened(.waitEnded(wait))
      }
    case .scheduleLook(let number):
      Task { [weak self] in
        try? await Task.sleep(for: .seconds(3))
        self?.happened(.looked(number))
      }
    case .scheduleSlide:
      let start = ContinuousClock.now
      Task { [weak self] in
        try? await Task.sleep(for: .milliseconds(40))
        // If drawing takes longer, steps are skipped: on a slow connection the banner appears at once.
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

  private func draw(_ request: PictureRequest) {
    drawings[request] = Task { [weak self, pictures, format = screen.graphicFormat] in
      let answer = await pictures.draw(request, format: format) { [weak self] draft in
        await self?.show(draft, for: request)
      }
      // A cancelled request may have been sent again.
      guard !Task.isCancelled, let self else { return }
      drawings[request] = nil
      happened(.pictureAnswered(request, answer))
    }
  }

  private func show(_ draft: PictureAnswer, for request: PictureRequest) {
    guard !Task.isCancelled else { return }
    happened(.pictureAnswered(request, draft))
  }

  func end(_ signal: Int32?) {
    foreground?.end()
    ending?.resume(returning: signal)
    ending = nil
  }

  /// Reads the wanted list again. Of several reads only the last is shown; a change during a read causes another one.
  func reload() {
    loads += 1
    let (load, query, window, written) = (loads, wanted.query, wanted.window, written)
    read({ store throws(StoreFailure) in try store.snapshot(query, window, inSlices: true) }) {
      session, snapshot in
      guard load == session.loads else { return }
      session.happened(.inboxChanged(snapshot, including: written))
      // Other reads come between two slices of a search.
      if snapshot.lookedTo != nil, load == session.loads { session.reload() }
    }
  }

  /// Asks for one slice after the other until the search is finished, or another list is shown.
  private func search<Found>(
    _ query: InboxQuery,
    _ slice: @escaping @Sendable (Store) throws(StoreFailure) -> SearchPart<Found>,
    then: @escaping @MainActor (InboxSession, Found) -> Void
  ) {
    read(slice) { session, part in
      if part.lookedTo == nil {
        then(session, part.found)
      } else if session.wanted.query == query {
        session.search(query, slice, then: then)
      }
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

  /// Writes an act after the earlier ones. Then the list is read again, so that it surely contains the act: the store
  /// reports only changes, and an act may change nothing.
  func write<Value: Sendable>(
    _ id: ActID, _ work: @escaping @Sendable (Store) throws -> Value,
    then: @escaping @MainActor @Sendable (InboxSession, Value) -> Void
  ) {
    acts.write(work) { session, result in
      switch result {
      case .success(let value):
        session.written = id
        then(session, value)
        session.carrySoon()
        session.reload()
      case .failure(let failure):
        let reason = session.reason(failure)
        session.log?.error("\(reason)")
        session.happened(.refused(id, reason: reason))
      }
    }
  }

  /// Lets the end of the inbox wait for a task that the user started.
  func finishBeforeEnd(_ task: Task<Void, Never>) {
    openings.append(task)
    if openings.count > 64 { openings.removeFirst(32) }
  }

  /// - Parameter chosen: nil for all sources.
  func refresh(_ chosen: Set<SourceID>?, _ trigger: PollTrigger) {
    if trigger == .forced { carrySoon(isForced: true) }
    Task { [weak self, poller] in
      if chosen == nil, trigger == .soft {
        _ = await poller.refreshAll(trigger)
      } else {
        await withTaskGroup(of: (SourceID, RefreshResult).self) { group in
          for source in self?.workspace.sources ?? [] where chosen?.contains(source.id) ?? true {
            group.addTask { (source.id, await poller.refresh(source.id, trigger)) }
          }
          for await (source, result) in group { self?.happened(.refreshEnded(source, result)) }
        }
      }
    }
  }

  private func layOut(_ request: PageRequest) {
    let slow = Task { [weak self] in
      do {
        try await Task.sleep(for: .milliseconds(200))
      } catch {
        return
      }
      self?.happened(.layingOut(request.number))
    }
    Task { [weak self, pages] in
      let page = await pages.page(request.number) { request.page(isCancelled: $0) }
      slow.cancel()
      if let page { self?.happened(.laidOut(request.number, page)) }
    }
  }

  private func layOut(_ request: ViewRequest) {
    Task { [weak self, views] in
      let view = await views.page(request.number) { _ in request.view() }
      if let view { self?.happened(.viewLaidOut(request.number, view)) }
    }
  }

  func open(_ link: String, isEnclosure: Bool = false) {
    let environment = workspace.environment
    let enclosures = isEnclosure ? workspace.settings.enclosureCommand : nil
    var opener = LinkOpener(
      command: enclosures ?? workspace.settings.openCommand, environment: environment.variables,
      programs: environment.programs)
    if enclosures != nil { opener.setting = "enclosure_command" }
    do throws(LinkOpener.Failure) {
      if opener.command.usesTerminal {
        let words = try opener.words(for: link)
        finishBeforeEnd(
          Task { [weak self] in
            await self?.runInTerminal(words)
            self?.happened(.linkOpened(address: link))
          })
      } else {
        let program = try opener.start(link)
        // It may outlive the inbox, so the end of the inbox does not wait for it.
        Task { [weak self, opener] in
          let failure = await opener.failure(of: program)
          self?.happened(
            failure.map { .linkFailed(address: link, reason: $0.reason) } ?? .linkOpened(address: link))
        }
      }
    } catch {
      answer(.linkFailed(address: link, reason: error.reason))
    }
  }

  /// Plays one sound for all new messages that have one.
  func sound(_ ids: [MessageID]) {
    let newest = Array(ids.suffix(100))
    read({ store throws(StoreFailure) in
      for id in newest.reversed() {
        if let sound = try store.message(id)?.content.extras?.sound { return sound }
      }
      return nil
    }) { (session, sound: String?) in
      guard let sound else { return }
      let environment = session.workspace.environment
      let player = SoundPlayer(
        command: session.workspace.settings.soundCommand, environment: environment.variables,
        programs: environment.programs)
      Task { [screen = session.screen] in
        if await !player.play(sound) { screen.ringBell() }
      }
    }
  }

  private func snooze(_ selection: MessageSelection, _ text: String, _ act: ActID, _ request: RequestID) {
    let environment = workspace.environment
    let now = environment.now()
    let until = SnoozeTime.parse(text, now: now, zone: environment.zone())
    answer(.snoozed(act, selection, until: until, text: text, request))
    guard let until else { return }
    let snooze = EachAct.snooze(until: until).act(on: selection)
    write(act, { store in try store.perform(snooze, at: now) }) {
      session, _ in
      session.happened(.performed(act))
      session.scheduleTransition()
    }
  }

  func add(_ address: String, _ request: RequestID) {
    Task { [weak self] in
      guard let self else { return }
      let answer = await SourceAdder(workspace).answer(to: address)
      if case .added = answer { await reopenSettings() }
      happened(.addAnswered(request, answer))
    }
  }
}
