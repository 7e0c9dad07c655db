import Calendars
import Foundation
import Interface
import Messages
import Platform
import Profile
import Storage

extension InboxSession {
  func perform(_ effect: JournalEffect) {
    switch effect {
    case .perform(let act, let id):
      let now = loop.profile.environment.now()
      store.write(id, { [steps] store in try steps.perform(act, id, in: store, at: now) }) { [loop] changed in
        loop.happened(.journal(.performed(id, changed: changed)))
      }
    case .join(let id, let first): steps.join(id, stepOf: first)
    case .undo(let id): settings.turn(id, isUndo: true)
    case .redo(let id): settings.turn(id, isUndo: false)
    case .snooze(let selection, let text, let act, let request):
      let environment = loop.profile.environment
      let now = environment.now()
      let until = SnoozeTime.parse(text, now: now, zone: environment.clock())
      loop.answer(.journal(.snoozed(act, selection, until: until, text: text, request)))
      guard let until else { return }
      let snooze = UserAct(.snooze, selection, until: until)
      store.write(act, { [steps] store in try steps.perform(snooze, act, in: store, at: now) }) {
        [loop, upkeep] changed in
        loop.happened(.journal(.performed(act, changed: changed)))
        upkeep.scheduleTransition()
      }
    }
  }
}
