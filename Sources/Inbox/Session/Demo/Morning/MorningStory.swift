import Foundation
import Interface
import Messages
import Platform
import Polling
import Profile
import Queries
import Screen
import Settings
import Storage
import Words

/// The scenes of the demo. They happen on their own, whatever the user does. A line at the bottom explains each, and
/// names the key for the same action.
package enum MorningStory {
  package enum Scene: Hashable, CaseIterable, Sendable {
    case opening
    /// A build fails.
    case build
    /// A rule hides the noise, and is removed.
    case rule, ruleRemoved
    /// An alert is resolved.
    case alert
    /// Three messages are marked read on another machine.
    case laptop
    case search, end
  }

  /// The second after the start in which each scene begins.
  package static let script: [(second: Int, step: Scene)] = [
    (0, .opening), (7, .build), (15, .rule), (23, .ruleRemoved), (31, .alert), (39, .laptop), (48, .search),
    (60, .end),
  ]

  package static func scenes(by timer: any Clock<Duration>) -> AsyncStream<Scene> {
    AsyncStream(script, by: timer)
  }

  /// The rule that a scene tries and adds, and a later scene removes.
  static let rule = RuleEntry(name: "version bumps", when: "source:deps", actions: ["hide"])
}

/// Plays the scenes in an inbox, one after the other, however slow a machine is.
@MainActor
package final class MorningDirector {
  private let morning: MorningProfile
  private var last: Task<Void, Never>?

  package init(_ morning: MorningProfile) { self.morning = morning }

  /// Plays a scene after the earlier ones, and then explains it.
  package func perform(_ scene: MorningStory.Scene, in session: InboxSession) {
    let task = Task { [last, morning] in
      await last?.value
      await session.play(scene, morning)
    }
    last = task
    session.loop.finishBeforeEnd(task)
  }
}

extension InboxSession {
  fileprivate func play(_ scene: MorningStory.Scene, _ morning: MorningProfile) async {
    do {
      let line = try await happens(scene, morning)
      loop.happened(.guided(line))
    } catch {
      loop.report(error)
    }
  }

  /// Performs a scene, and returns the sentence that explains it.
  private func happens(_ scene: MorningStory.Scene, _ morning: MorningProfile) async throws -> SafeText {
    let (words, keymap) = (loop.profile.words, loop.state.options.keymap)
    func key(_ command: Command) -> SafeText { keymap.name(of: command) }
    switch scene {
    case .opening:
      // If the first row were selected, the selection would follow new messages above it.
      for _ in 0..<2 { loop.happened(.input(.key(KeyPress(.down)))) }
      return words(.demoOpening, key(.readOn), key(.nextUnread))
    case .build:
      await morning.server.failBuild()
      await poll("ci")
      return words(.demoBuild, key(.nextUnread))
    case .rule:
      let trial = try await inBackground { try MorningStory.hideNoise(in: $0) }
      await settings.reopen()
      return words(.demoRule, key(.makeRule), "\(trial.matched)", "\(trial.opened)")
    case .ruleRemoved:
      try await inBackground { try MorningStory.showNoise(in: $0) }
      await settings.reopen()
      return words(.demoRuleRemoved, key(.undo))
    case .alert:
      await morning.server.endAlert()
      await poll("alerts")
      return words(.demoAlert)
    case .laptop:
      try await morning.readElsewhere(besides: loop.profile)
      return words(.demoLaptop, key(.unreadOnly))
    case .search: return words(.demoSearch, key(.search))
    case .end: return words(.demoEnd, key(.help), key(.quit))
    }
  }

  private func inBackground<Value: Sendable>(
    _ work: @escaping @Sendable (Profile) throws -> Value
  ) async throws -> Value {
    let profile = loop.profile
    return try await WorkThreads().run { Result { try work(profile) } }.get()
  }

  /// Polls a source without the sentence that follows a key.
  private func poll(_ name: String) async {
    guard let source = loop.profile.sources.first(where: { $0.name == name }) else { return }
    _ = await poller.refresh(source.id, .forced)
  }
}

extension MorningStory {
  /// Adds the rule, and applies it to the messages of the last month.
  ///
  /// - Returns: the trial of the rule, before it was applied.
  static func hideNoise(in profile: Profile) throws -> RuleTrial {
    if !profile.settings.rules.contains(where: { $0.name == rule.name }) {
      try profile.settingsFile.append(rule: rule)
    }
    let profile = try profile.reopened()
    try profile.applyRulesAndLists()
    guard let rule = profile.settings.rules.first(where: { $0.name == rule.name })?.rule else {
      return RuleTrial()
    }
    let environment = profile.environment
    let now = environment.now()
    let trial = try profile.store.rules.trial(
      of: rule.condition, since: now.addingTimeInterval(-Double(RuleTrial.usualDays) * 86_400), now: now,
      zone: environment.clock())
    _ = try profile.store.rules.apply(rule, last: .seconds(RuleTrial.usualDays * 86_400), environment)
    return trial
  }

  /// Removes the rule, and so restores the messages that it has hidden. The user may have already done that.
  static func showNoise(in profile: Profile) throws {
    let profile = try profile.withSettingsReadAgain()
    guard profile.settings.rules.contains(where: { $0.name == rule.name }) else { return }
    try profile.remove(ruleNamed: rule.name)
    try profile.reopened().applyRulesAndLists()
  }
}
