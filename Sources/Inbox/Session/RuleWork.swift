import Foundation
import Interface
import Messages
import Platform
import Profile
import Settings
import Storage

/// Reads, tries and writes the rules of the settings, and applies them to earlier messages.
@MainActor
final class RuleWork {
  /// The pause in typing after which messages are examined.
  private static let typingRest = Duration.milliseconds(150)

  private let loop: InboxLoop
  private let store: StoreAccess
  private let settings: LiveSettings
  private var trial: Task<Void, Never>?

  init(_ loop: InboxLoop, _ store: StoreAccess, _ settings: LiveSettings) {
    (self.loop, self.store, self.settings) = (loop, store, settings)
  }

  func perform(_ effect: RulesEffect) {
    switch effect {
    case .load(let request): loadAll(request)
    case .loadOrigin(let message, let request): loadOrigin(message, request)
    case .startTrial(let request): run(request)
    case .stopTrial: stop()
    case .save(let draft, let request): save(draft, request)
    case .turn(let name, let isOn, let request): turn(name, isOn: isOn, request)
    case .remove(let name, let act):
      settings.remove(act, called: name) { profile in
        try profile.remove(ruleNamed: name)
        return []
      }
    case .apply(let name, let act): apply(name, act)
    case .editSettings(let name):
      settings.edit(line: loop.profile.settings.rules.first { $0.name == name }?.line ?? 0)
    }
  }

  private func loadOrigin(_ id: MessageID, _ request: RequestID) {
    let names = loop.profile.settings.rules.map(\.name)
    store.read({ store throws(StoreFailure) -> RuleOrigin? in
      guard let message = try store.messages.find(id) else { return nil }
      return RuleOrigin(
        message: message,
        neighbours: try store.rules.neighbours(of: id, in: message.source, limit: RuleOrigin.mostNeighbours),
        counts: try store.rules.counts(of: RuleOrigin.askedWords(message)), takenNames: names)
    }) { [loop] origin in loop.happened(.rules(.originLoaded(request, origin))) }
  }

  /// Loads all rules of the settings, in their order, after reading the file: the last act may have changed it.
  private func loadAll(_ request: RequestID) {
    loop.finishBeforeEnd(
      Task { [weak self, settings] in
        await settings.reopen(onlyIfTheyDiffer: true)
        self?.loadRead(request)
      })
  }

  /// Loads all rules of the settings as they were last read, with the numbers of messages that they changed.
  private func loadRead(_ request: RequestID) {
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
      loop.happened(.rules(.loaded(request, rows)))
    }
  }

  /// Examines earlier messages in slices, so that other reads come between them. A later request ends an earlier one.
  private func run(_ request: RuleTrialRequest) {
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
          loop.happened(.rules(.tried(request.number, trial)))
        }
      } catch is CancellationError {
        return
      } catch {
        loop.report(error)
      }
    }
  }

  func stop() { trial?.cancel() }

  /// Applies a rule of the settings to earlier messages, as an act of the user.
  private func apply(_ name: String, _ act: ActID) {
    guard let rule = loop.profile.settings.rules.first(where: { $0.name == name })?.rule else {
      return loop.answer(
        .journal(.refused(act, reason: "the rule \"\(name)\" is not in the settings any more")))
    }
    let environment = loop.profile.environment
    store.write(
      act,
      { store in
        try store.rules.apply(rule, last: .seconds(RuleTrial.usualDays * 86_400), environment).changed
      }
    ) { [loop] changed in loop.happened(.journal(.performed(act, changed: changed))) }
  }

  // MARK: The settings

  private func save(_ draft: RuleDraft, _ request: RequestID) {
    settings.change(request) { profile in
      let rule = RuleEntry(
        name: draft.name, when: draft.condition, actions: draft.actions, stops: draft.stops)
      guard let replaced = draft.replaces else { return try profile.settingsFile.append(rule: rule) }
      guard try profile.settingsFile.change(rule: replaced, to: rule) else { throw NoSuchRule() }
    } then: { [loop, settings] result in
      let reason = result.refusal.map(settings.withoutFolder)
      loop.happened(.rules(.saved(request, draft, reason: reason)))
    }
  }

  private func turn(_ name: String, isOn: Bool, _ request: RequestID) {
    settings.change(request) { profile in
      guard try profile.settingsFile.change(rule: name, isEnabled: isOn) else { throw NoSuchRule() }
    } then: { [loop] result in
      loop.happened(
        result.refusal.map { .settings(.unchanged(request, reason: $0)) }
          ?? .rules(.switched(request, name: name, isOn: isOn)))
    }
  }

  struct NoSuchRule: UserFacingError {
    let sentence = "the settings have no such rule any more"
  }
}
