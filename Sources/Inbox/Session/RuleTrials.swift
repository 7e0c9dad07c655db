import Foundation
import Interface
import Messages
import Platform
import Profile
import Settings
import Storage

/// What a rule would have done, while it is written, and what it does to messages that came before.
@MainActor
final class RuleTrials {
  /// How long nothing must be typed before messages are looked at.
  private static let typingRest = Duration.milliseconds(150)

  private let loop: InboxLoop
  private let store: StoreAccess
  private var trial: Task<Void, Never>?

  init(_ loop: InboxLoop, _ store: StoreAccess) {
    self.loop = loop
    self.store = store
  }

  func loadOrigin(_ id: MessageID, _ request: RequestID) {
    let names = loop.profile.settings.rules.map(\.name)
    store.read({ store throws(StoreFailure) -> RuleOrigin? in
      guard let message = try store.messages.find(id) else { return nil }
      return RuleOrigin(
        message: message,
        neighbours: try store.rules.neighbours(of: id, in: message.source, limit: RuleOrigin.mostNeighbours),
        counts: try store.rules.counts(of: RuleOrigin.askedWords(message)), takenNames: names)
    }) { [loop] origin in loop.happened(.ruleOriginLoaded(request, origin)) }
  }

  /// All rules of the settings, in their order.
  func loadAll() {
    let (profile, environment) = (loop.profile, loop.profile.environment)
    let problems = Dictionary(
      profile.settings.problems.map { ($0.line, $0) }, uniquingKeysWith: { first, _ in first })
    let start = environment.now().addingTimeInterval(-Double(RuleTrial.usualDays) * 86_400)
    store.read({ store throws(StoreFailure) in try store.rules.hits(since: start) }) { [loop] hits in
      let rows = profile.settings.rules.map { rule in
        let isBroken = rule.rule == nil && rule.written.isEnabled
        let problem =
          problems[rule.line]?.problem ?? profile.settings.problems.first { $0.line > rule.line }?.problem
        return RuleRow(
          name: rule.name, condition: rule.written.when, actions: rule.written.actions,
          stops: rule.written.stops, isOn: rule.written.isEnabled, hasProgram: !rule.command.isEmpty,
          mistake: isBroken ? problem ?? "" : nil, hits: hits[rule.name] ?? 0)
      }
      loop.happened(.rulesLoaded(rows))
    }
  }

  /// Looks back in slices, so that other reads come between them. A later request ends an earlier one.
  func run(_ request: RuleTrialRequest) {
    trial?.cancel()
    let environment = loop.profile.environment
    let (now, zone) = (environment.now(), environment.clock())
    let start = now.addingTimeInterval(-Double(RuleTrial.usualDays) * 86_400)
    trial = Task { [loop, reader = store.reader] in
      do {
        if request.rests { try await environment.timer.sleep(for: Self.typingRest) }
        var trial = RuleTrial()
        while trial.rest != nil {
          let earlier = trial
          trial = try await reader.read { store throws(StoreFailure) in
            try store.rules.goOn(with: earlier, of: request.condition, since: start, now: now, zone: zone)
          }
          try Task.checkCancellation()
          loop.happened(.ruleTried(request.number, trial))
        }
      } catch is CancellationError {
        return
      } catch {
        loop.report(error)
      }
    }
  }

  func stop() { trial?.cancel() }

  /// Applies a rule of the settings to messages that came before, as an act of the user.
  func apply(_ name: String, _ act: ActID) {
    guard let rule = loop.profile.settings.rules.first(where: { $0.name == name })?.rule else {
      return loop.answer(.refused(act, reason: "the rule \"\(name)\" is not in the settings any more"))
    }
    let environment = loop.profile.environment
    store.write(
      act,
      { store in
        try store.rules.apply(rule, last: .seconds(RuleTrial.usualDays * 86_400), environment).changed
      }
    ) { [loop] changed in loop.happened(.performed(act, changed: changed)) }
  }
}
