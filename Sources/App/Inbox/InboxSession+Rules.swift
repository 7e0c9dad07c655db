import Foundation
import Interface
import Messages
import Storage

/// Rules that are written in the inbox.
@MainActor
extension InboxSession {
  func loadRuleOrigin(_ id: MessageID, _ request: RequestID) {
    read({ store throws(StoreFailure) -> (Message, [RuleNeighbour])? in
      guard let message = try store.message(id) else { return nil }
      let neighbours = try store.neighbours(of: id, in: message.source, limit: RuleOrigin.mostNeighbours)
      return (message, neighbours)
    }) { session, found in
      let names = session.workspace.settings.rules.map(\.name)
      session.happened(
        .ruleOriginLoaded(request, found.map { RuleOrigin(message: $0, neighbours: $1, takenNames: names) }))
    }
  }

  /// Looks back in slices, so that other reads come between them. A later request ends an earlier one.
  func tryRule(_ request: RuleTrialRequest) {
    ruleTrial?.cancel()
    let environment = workspace.environment
    let (now, zone) = (environment.now(), environment.zone())
    let start = now.addingTimeInterval(-Double(RuleTrial.usualDays) * 86_400)
    ruleTrial = Task { [weak self, reader] in
      do {
        if request.rests { try await Task.sleep(for: Self.typingRest) }
        var trial = RuleTrial()
        while trial.rest != nil {
          let earlier = trial
          trial = try await reader.read { store throws(StoreFailure) in
            try store.goOn(with: earlier, of: request.condition, since: start, now: now, zone: zone)
          }
          try Task.checkCancellation()
          self?.happened(.ruleTried(request.number, trial))
        }
      } catch is CancellationError {
        return
      } catch {
        self?.report(error)
      }
    }
  }

  /// How long nothing must be typed before messages are looked at.
  private static let typingRest = Duration.milliseconds(150)

  func save(_ draft: RuleDraft, _ request: RequestID) {
    changeSettings { workspace in
      try workspace.settingsFile.append(
        rule: RuleEntry(
          name: draft.name, when: draft.condition, actions: draft.actions, stops: draft.stops))
    } then: { session, result in
      switch result {
      case .success: session.happened(.ruleSaved(request, draft, reason: nil))
      case .failure(let failure):
        session.happened(.ruleSaved(request, draft, reason: session.withoutFolder(session.reason(failure))))
      }
    }
  }

  /// Applies a rule of the settings to messages that came before, as an act of the user.
  func applyRule(named name: String, _ act: ActID) {
    guard let rule = workspace.settings.rules.first(where: { $0.name == name })?.rule else {
      return answer(.refused(act, reason: "the rule \"\(name)\" is not in the settings any more"))
    }
    let environment = workspace.environment
    write(
      act,
      { store in
        try store.apply(rule, last: .seconds(RuleTrial.usualDays * 86_400), environment).changed
      }
    ) { session, changed in session.happened(.performed(act, changed: changed)) }
  }
}
