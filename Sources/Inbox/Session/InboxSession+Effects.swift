import Interface
import Storage

/// Passes each effect to the part that performs it.
extension InboxSession {
  func perform(_ effect: Effect) {
    switch effect {
    case .load(let query, let window): store.load(query, window)
    case .markSeen(let scope): store.write(isAct: false, { store in try store.acts.markSeen(scope) })
    case .remember(let name, let value):
      store.write(isAct: false, { store in try store.preferences.set(name, to: value) })
    case .rememberList(let list, let state):
      store.write(isAct: false, { store in try store.preferences.set(list, to: state) })
    case .giveUp(let request): if loop.requests.giveUp(request) { loop.answer(.gaveUp(request)) }
    case .scheduleLook(let number): loop.schedule(.seconds(3)) { .looked(number) }
    case .redraw: loop.screen.redraw()
    case .suspend:
      loop.screen.suspendProcess()
      loop.screenReturned()
    case .quit: end(nil)
    case .articles(let effect): pages.perform(effect)
    case .banner(let effect): banners?.perform(effect)
    case .forms(let effect): settings.perform(effect)
    case .journal(let effect): perform(effect)
    case .keys(.scheduleWaitEnd(let wait)): loop.schedule(.seconds(1)) { .keys(.waitEnded(wait)) }
    case .keys(.scheduleSequenceEnd(let number)):
      loop.schedule(.seconds(1)) { .keys(.sequenceEnded(number)) }
    case .links(let effect): perform(effect)
    case .offers(let effect): offers.perform(effect)
    case .pictures(let effect): pages.perform(effect)
    case .polling(let effect): perform(effect)
    case .programs(let effect): output.perform(effect)
    case .quiet(let effect): quiet.perform(effect)
    case .questions(let effect): questions.perform(effect)
    case .reader(.load(let message)): store.loadMessage(message)
    case .reader(.layOut(let request)): pages.layOut(request)
    case .rules(let effect): rules.perform(effect)
    case .savedLists(let effect): settings.perform(effect)
    case .search(let effect): store.perform(effect)
    case .sources(let effect): settings.perform(effect)
    }
  }
}
