import Calendars
import Foundation
import Interface
import Messages
import Platform
import Polling
import Profile
import Screen
import Settings
import Storage

/// Which part carries out an effect.
extension InboxSession {
  func perform(_ effect: Effect) {
    switch effect {
    case .load(let query, let window): store.load(query, window)
    case .loadMessage(let id): store.loadMessage(id)
    case .loadNames(let request):
      store.read({ store throws(StoreFailure) in try store.search.names() }) { [loop] names in
        loop.happened(.namesLoaded(request, names))
      }
    case .findUnread(let query, let key, let forward, let request):
      store.search(
        query,
        { store throws(StoreFailure) in
          try store.lists.nextUnread(after: key, query: query, forward: forward)
        }
      ) { [loop] found in loop.happened(.unreadFound(request, found)) }
    case .findHits(let query):
      store.search(
        query,
        { store throws(StoreFailure) in
          try store.lists.hits(query, limit: InboxQuery.mostHits + 1)
        }
      ) { [loop] keys in loop.happened(.hitsFound(query, keys)) }
    case .loadTimeline(let source):
      store.read({ store throws(StoreFailure) in try store.polls.attempts(of: source, limit: 200) }) {
        [loop] attempts in loop.happened(.timelineLoaded(source, attempts))
      }
    case .findAddresses(let ids, let request):
      store.read({ store throws(StoreFailure) in
        var addresses: [MessageID: String] = [:]
        for id in ids { addresses[id] = try store.messages.find(id)?.content.url }
        return addresses
      }) { [loop] addresses in loop.happened(.addressesFound(request, addresses)) }
    case .perform(let act, let id):
      let now = loop.profile.environment.now()
      store.write(id, { store in try store.acts.perform(act, at: now) }) { [loop] changed in
        loop.happened(.performed(id, changed: changed))
      }
    case .undo(let id): settings.undo(id)
    case .redo(let id): settings.redo(id)
    case .snooze(let selection, let text, let act, let request): snooze(selection, text, act, request)
    case .beQuiet(let text, let request): beQuiet(text, request)
    case .performAction(let action, let message): perform(action, of: message)
    case .goToPane(let message): goToPane(of: message)
    case .markSeen(let scope): store.write(isAct: false, { store in try store.acts.markSeen(scope) })
    case .remember(let name, let value):
      store.write(isAct: false, { store in try store.preferences.set(name, to: value) })
    case .refresh(let sources): refresh(sources, .soft)
    case .refreshNow(let sources): refresh(sources, .forced)
    case .giveUp(let request): if loop.requests.giveUp(request) { loop.answer(.gaveUp(request)) }
    case .addSource(let address, let request): settings.add(address, request)
    case .loadForm(let subject, let request): settings.loadForm(subject, request)
    case .saveForm(let form, let request): settings.saveForm(form, request)
    case .changeSource(let source, let change, let request): settings.change(source, change, request)
    case .removeSource(let source, let title, let act): settings.remove(source, called: title, act)
    case .editSettings(let source): settings.edit(source)
    case .editSettingsOfList(let list): settings.edit(line: settings.line(of: list))
    case .removeList(let name, let act): settings.remove(listNamed: name, act)
    case .swapLists(let list, let other, let request): settings.swap(list, other, request)
    case .saveList(let name, let query, let request): settings.saveList(name, query, request)
    case .loadRules: rules.loadAll()
    case .switchRule(let name, let isOn, let request): settings.switchRule(name, isOn: isOn, request)
    case .removeRule(let name, let act): settings.remove(ruleNamed: name, act)
    case .editSettingsOfRule(let name): settings.edit(line: settings.line(ofRule: name))
    case .saveRule(let draft, let request): settings.save(draft, request)
    case .loadRuleOrigin(let id, let request): rules.loadOrigin(id, request)
    case .tryRule(let request): rules.run(request)
    case .stopRuleTrial: rules.stop()
    case .applyRule(let name, let act): rules.apply(name, act)
    case .openLink(let link): programs.open(link)
    case .openEnclosure(let link): programs.open(link, isEnclosure: true)
    case .run(let words, let inTerminal): programs.run(words, inTerminal: inTerminal)
    case .copy(let text, let request): programs.copy(text, request)
    case .pipe(let given, let form, let command): output.pipe(given, form, into: command)
    case .save(let given, let path, let replacing, let request):
      output.save(given, path, replacing: replacing, request)
    case .showInPager(let id): output.page(id)
    case .showDemo: programs.showDemo()
    case .layOut(let request): pages.layOut(request)
    case .layOutView(let request): pages.layOut(request)
    case .findArticle(let request): pages.find(request)
    case .drawPicture(let request): pages.draw(request)
    case .cancelPictures(let requests): pages.cancel(requests)
    case .scheduleTick: schedule(.milliseconds(100)) { .ticked }
    case .scheduleSecond: schedule(.seconds(1)) { .secondPassed }
    case .scheduleWaitEnd(let wait): schedule(.seconds(1)) { .waitEnded(wait) }
    case .scheduleSequenceEnd(let number): schedule(.seconds(1)) { .sequenceEnded(number) }
    case .scheduleLook(let number): schedule(.seconds(3)) { .looked(number) }
    case .scheduleSlide:
      let elapsed = loop.profile.environment.timer.stopwatch()
      // If drawing takes longer, steps are skipped: on a slow connection the banner appears at once.
      schedule(.milliseconds(40)) {
        .slid(steps: max(1, Int(elapsed() / .milliseconds(40))))
      }
    case .bannerLaidOut(let size): banners?.laidOut(size)
    case .pressBanner(let action): banners?.press(action)
    case .closeBanner: banners?.close()
    case .redraw: loop.screen.redraw()
    case .suspend: loop.screen.suspendProcess()
    case .quit: end(nil)
    }
  }

  private func schedule(_ wait: Duration, _ action: @escaping @MainActor () -> Action) {
    Task { [weak loop, timer = loop.profile.environment.timer] in
      // Only a cancellation ends a sleep early, and nothing cancels this task: `try?` hides no failure.
      try? await timer.sleep(for: wait)
      loop?.happened(action())
    }
  }

  private func snooze(_ selection: MessageSelection, _ text: String, _ act: ActID, _ request: RequestID) {
    let environment = loop.profile.environment
    let now = environment.now()
    let until = SnoozeTime.parse(text, now: now, zone: environment.clock())
    loop.answer(.snoozed(act, selection, until: until, text: text, request))
    guard let until else { return }
    let snooze = UserAct(.snooze, selection, until: until)
    store.write(act, { store in try store.acts.perform(snooze, at: now) }) { [loop, upkeep] changed in
      loop.happened(.performed(act, changed: changed))
      upkeep.scheduleTransition()
    }
  }

  private func beQuiet(_ text: String, _ request: RequestID) {
    let environment = loop.profile.environment
    let now = environment.now()
    let isEnd = text.lowercased() == "off"
    let until = isEnd ? nil : SnoozeTime.parse(text, now: now, zone: environment.clock())
    guard isEnd || until != nil else { return loop.answer(.quietRefused(request, text: text)) }
    let permit = loop.requests.begin(request)
    store.write(isAct: true) { store in
      // Writes may wait for another process.
      guard (try? permit.use()) != nil else { return }
      if let until {
        try store.notices.setQuiet(until: until, at: now)
      } else {
        try store.notices.endQuiet(at: now)
      }
    } then: { [loop, telling] in
      guard loop.requests.end(request) else { return }
      loop.happened(.quieted(request, until: until))
      telling.look()
    }
  }

  private func goToPane(of id: MessageID) {
    store.read({ store throws(StoreFailure) in try store.messages.find(id)?.content.extras?.pane }) {
      [loop] pane in
      guard let pane else { return loop.happened(.wentToPane(id, .none)) }
      let panes = Panes(loop.profile.environment)
      Task {
        let answer: PaneAnswer
        do throws(Panes.Failure) {
          try await panes.go(to: pane)
          await panes.mark(pane, unread: false)
          answer = .isThere
        } catch {
          answer =
            switch error {
            case .gone: .gone
            case .cannotAsk(let reason): .cannotAsk(reason)
            case .notAttached(let session): .notAttached(session: session)
            }
        }
        loop.happened(.wentToPane(id, answer))
      }
    }
  }

  /// Does an action of a message that the user has confirmed.
  private func perform(_ action: MessageAction, of message: MessageID) {
    let now = loop.profile.environment.now()
    if let name = action.upstream {
      store.write(isAct: true) { store in
        try store.outgoing.request(action: name, of: message, at: now)
      } then: { [loop, carrying] isThere in
        let gone = FetchFailure.storage(reason: "the message is not there any more")
        loop.happened(.actionEnded(action, isThere ? nil : gone))
        carrying.carrySoon()
      }
    } else if action.request != nil {
      loop.finishBeforeEnd(
        Task { [loop, adapters] in
          let failure = await adapters.perform(action)
          loop.happened(.actionEnded(action, failure))
        })
    }
  }
}
