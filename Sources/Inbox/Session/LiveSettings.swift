import Foundation
import Interface
import Logging
import Messages
import Platform
import Profile
import Settings
import Storage
import Subscriptions

/// The settings file of a running inbox: edits of it apply while the inbox runs, and the inbox edits it.
@MainActor
final class LiveSettings {
  let loop: InboxLoop
  let store: StoreAccess
  private let programs: ProgramRuns
  private let threads = WorkThreads()
  /// Called after the loop has other settings or sources.
  var changed: @MainActor (_ old: Profile) async -> Void = { _ in }
  /// Called after a source was added, before its first poll.
  var added: @MainActor (SourceAdder.Added) async -> Void = { _ in }
  /// Called after an undo, or a redo, has set or ended the time without notices.
  var quietChanged: @MainActor () -> Void = {}
  /// The current mistake in the file.
  private(set) var mistake: String?
  /// What does nothing in the file that is used.
  private var problem: String?
  /// Whether there was a file: if it is deleted, its settings still apply.
  private var wasThere: Bool

  init(_ loop: InboxLoop, _ store: StoreAccess, _ programs: ProgramRuns) {
    self.loop = loop
    self.store = store
    self.programs = programs
    wasThere = loop.profile.settingsFile.exists
  }

  // MARK: Reading

  /// Applies changed settings. With a mistake in the file nothing changes; the mistake is shown until it is corrected.
  ///
  /// - Parameter onlyIfTheyDiffer: from those read last; otherwise the database isn't used.
  func reopen(onlyIfTheyDiffer: Bool = false) async {
    do {
      let file = loop.profile.settingsFile
      guard !wasThere || file.exists else {
        throw SettingsFile.Failure(path: file.path, reason: "is not there any more")
      }
      if onlyIfTheyDiffer, !wasThere, !file.exists { return }
      let fresh = try await loop.profile.inBackground { profile in
        if onlyIfTheyDiffer, try profile.settingsFile.load() == profile.settings {
          try profile.applyRulesAndLists()
          return profile
        }
        let fresh = try profile.reopened()
        try fresh.applyRulesAndLists()
        return fresh
      }
      if file.exists { wasThere = true }
      show(mistake: nil)
      show(problem: fresh.settings.warnings.first?.sentence)
      let old = loop.profile
      guard fresh.settings != old.settings || fresh.sources != old.sources else { return }
      loop.profile = fresh
      await changed(old)
      if fresh.settings.rules != old.settings.rules { loop.happened(.rulesChanged) }
    } catch let failure as any UserFacingError
      where failure is SettingsMistakes || failure is SettingsFile.Failure
    {
      show(mistake: failure.sentence)
    } catch {
      loop.report(error)
    }
  }

  private func show(mistake: String?) {
    guard mistake != self.mistake else { return }
    self.mistake = mistake
    if let mistake { loop.log?.error("\(mistake)") }
    loop.happened(.settingsMistaken(mistake.map(withoutFolder)))
  }

  private func show(problem: String?) {
    guard problem != self.problem else { return }
    self.problem = problem
    if let problem { loop.log?.error("\(problem)") }
    loop.happened(.settingsTaken(problem: problem.map(withoutFolder)))
  }

  /// So that the line and the key fit on the screen.
  private func withoutFolder(_ mistake: String) -> String {
    let folder = (loop.profile.settingsFile.path as NSString).deletingLastPathComponent + "/"
    return mistake.hasPrefix(folder) ? String(mistake.dropFirst(folder.count)) : mistake
  }

  // MARK: Writing

  /// Changes the settings file away from the main thread, then applies what stands there.
  ///
  /// - Parameters:
  ///   - request: it can be given up until something is written; then nothing is answered.
  ///   - work: gets the profile that may write for it.
  func change<Value: Sendable>(
    _ request: RequestID, _ work: @escaping @Sendable (Profile) throws -> Value,
    then: @escaping @MainActor (Result<Value, any Error>) -> Void
  ) {
    let profile = loop.profile.permitted(by: loop.requests.begin(request))
    loop.finishBeforeEnd(
      Task { [weak self, threads] in
        let result = await threads.run { Result { try work(profile) } }
        guard let self, loop.requests.end(request) else { return }
        if case .success = result { await reopen() }
        then(result)
      })
  }

  /// Removes something as an act of the user: in the order of the keys, with the other acts.
  ///
  /// - Parameter work: returns the names of the machines that keep it.
  func remove(
    _ act: ActID, called title: String, _ work: @escaping @Sendable (Profile) throws -> [String]
  ) {
    let profile = loop.profile
    store.write(act, { _ in try work(profile) }) { [weak self] machines in
      self?.loop.happened(.performed(act))
      if !machines.isEmpty { self?.loop.happened(.removedHere(title: title, keptOn: machines)) }
      self?.reopenSoon()
    }
  }

  /// Undoes the last act, which may be an edit of the settings.
  func undo(_ id: ActID) {
    let profile = loop.profile
    store.write(id, { _ in try profile.undoLastAct() }) { [weak self] undone in
      self?.loop.happened(
        .undone(
          id, undone.map(UserAct.init), count: undone?.count ?? 0, left: undone?.left ?? 0,
          on: undone?.machines ?? []))
      self?.turned(undone)
    }
  }

  func redo(_ id: ActID) {
    let profile = loop.profile
    store.write(id, { _ in try profile.redoLastAct() }) { [weak self] redone in
      self?.loop.happened(
        .redone(id, redone.map(UserAct.init), count: redone?.count ?? 0, left: redone?.left ?? 0))
      self?.turned(redone)
    }
  }

  private func turned(_ act: UndoneAct?) {
    guard let edit = act?.edit else { return }
    if [.quieted, .quietEnded].contains(edit.kind) { quietChanged() } else { reopenSoon() }
  }

  private func reopenSoon() {
    loop.finishBeforeEnd(
      Task { [weak self, loop] in
        await self?.reopen()
        // The page of rules waits for them, also if an earlier reading has found them already.
        loop.happened(.rulesChanged)
      })
  }

  /// Gives the terminal to the user's editor with a file of the settings.
  ///
  /// - Parameters:
  ///   - path: nil for the one that the person writes.
  ///   - line: where the editor begins; 0 where that isn't known.
  func edit(_ path: String? = nil, line: Int) {
    let editor = TextEditor(environment: loop.profile.environment.variables)
    let path = path ?? loop.profile.settingsFile.path
    loop.finishBeforeEnd(
      Task { [weak self] in
        await self?.programs.runInTerminal(editor.words(for: path, at: line), named: editor.line)
        await self?.reopen(onlyIfTheyDiffer: true)
      })
  }

  func save(_ draft: RuleDraft, _ request: RequestID) {
    change(request) { profile in
      let rule = RuleEntry(
        name: draft.name, when: draft.condition, actions: draft.actions, stops: draft.stops)
      guard let replaced = draft.replaces else { return try profile.settingsFile.append(rule: rule) }
      guard try profile.settingsFile.change(rule: replaced, to: rule) else { throw NoSuchRule() }
    } then: { [weak self] result in
      let reason = result.refusal.map { self?.withoutFolder($0) ?? $0 }
      self?.loop.happened(.ruleSaved(request, draft, reason: reason))
    }
  }

  func switchRule(_ name: String, isOn: Bool, _ request: RequestID) {
    change(request) { profile in
      guard try profile.settingsFile.change(rule: name, isEnabled: isOn) else { throw NoSuchRule() }
    } then: { [loop] result in
      loop.happened(
        result.refusal.map { .settingsUnchanged(request, reason: $0) }
          ?? .ruleSwitched(request, name: name, isOn: isOn))
    }
  }

  func remove(ruleNamed name: String, _ act: ActID) {
    remove(act, called: name) { profile in
      try profile.remove(ruleNamed: name)
      return []
    }
  }

  /// Returns the line of a rule in the settings, or 0 if it has none.
  func line(ofRule name: String?) -> Int {
    loop.profile.settings.rules.first { $0.name == name }?.line ?? 0
  }

  struct NoSuchRule: UserFacingError {
    let sentence = "the settings have no such rule any more"
  }

  struct BadName: UserFacingError {
    let sentence = "a name is 1 to 64 visible characters"
  }
}

extension Result where Failure == any Error {
  /// Why it was not done, as a clause; nil for a success.
  @MainActor
  var refusal: String? {
    if case .failure(let failure) = self { InboxLoop.reason(failure) } else { nil }
  }
}
