import Foundation
import Interface
import Messages
import Platform
import Polling
import Profile
import Storage

extension InboxSession {
  func perform(_ effect: LinkEffect) {
    switch effect {
    case .findAddresses(let ids, let request):
      store.read({ store throws(StoreFailure) in
        var addresses: [MessageID: String] = [:]
        for id in ids { addresses[id] = try store.messages.find(id)?.content.url }
        return addresses
      }) { [loop] addresses in loop.happened(.links(.addressesFound(request, addresses))) }
    case .open(let link): programs.open(link)
    case .openEnclosure(let link): programs.open(link, isEnclosure: true)
    case .copy(let text, let request): programs.copy(text, request)
    case .goToPane(let message): goToPane(of: message)
    case .perform(let action, let message): perform(action, of: message)
    }
  }

  private func goToPane(of id: MessageID) {
    store.read({ store throws(StoreFailure) in try store.messages.find(id)?.content.extras?.pane }) {
      [loop] pane in
      guard let pane else { return loop.happened(.links(.wentToPane(id, .none))) }
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
        loop.happened(.links(.wentToPane(id, answer)))
      }
    }
  }

  /// Performs an action of a message that the user has confirmed.
  private func perform(_ action: MessageAction, of message: MessageID) {
    let now = loop.profile.environment.now()
    if let name = action.upstream {
      store.write(isAct: true) { store in
        try store.outgoing.request(action: name, of: message, at: now)
      } then: { [loop, writeBack] isThere in
        let gone = FetchFailure.storage(reason: "the message is not there any more")
        loop.happened(.links(.actionEnded(action, isThere ? nil : gone)))
        writeBack.carrySoon()
      }
    } else if action.request != nil {
      loop.finishBeforeEnd(
        Task { [loop, adapters] in
          let failure = await adapters.perform(action)
          loop.happened(.links(.actionEnded(action, failure)))
        })
    }
  }
}
