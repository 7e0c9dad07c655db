import Foundation
import Interface
import Logging
import Messages
import Platform
import Profile
import Settings
import Storage
import Subscriptions

/// The settings file of a running inbox: edits of the file apply while the inbox runs, and the inbox edits it.
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
  /// Called after an undo, or a redo, has set or ended the quiet time.
  var quietChanged: @MainActor () -> Void = {}
  /// The current error in the file.
  private(set) var mistake: String?
  /// The part of a valid file that has no effect.
  private var problem: String?
  /// Whether the file existed: if it is deleted, its settings still apply.
  private var wasThere: Bool

  init(_ loop: InboxLoop, _ store: StoreAccess, _ programs: ProgramRuns) {
    self.loop = loop
    self.store = store
    self.programs = programs
    wasThere = loop.profile.settingsFile.exists
  }

  // MARK: Reading

  /// Applies changed settings. If the file has an error, nothing changes, and the error is shown until it is corrected.
  ///
  /// - Parameter onlyIfTheyDiffer: whether unchanged settings are ignored, without a use of the database.
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
      if fresh.settings.rules != old.settings.rules { loop.happened(.rules(.changed)) }
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
    loop.happened(.settings(.mistaken(mistake.map(withoutFolder))))
  }

  private func show(problem: String?) {
    guard problem != self.problem else { return }
    self.problem = problem
    if let problem { loop.log?.error("\(problem)") }
    loop.happened(.settings(.taken(problem: problem.map(withoutFolder))))
  }

  /// Removes the folder from an error in the settings file, so that the line and the key fit on the screen.
  func withoutFolder(_ mistake: String) -> String {
    let folder = (loop.profile.settingsFile.path as NSString).deletingLastPathComponent + "/"
    return mistake.hasPrefix(folder) ? String(mistake.dropFirst(folder.count)) : mistake
  }

  // MARK: Writing

  /// Changes the settings file in the background, then applies its content.
  ///
  /// - Parameters:
  ///   - request: the request, which can be given up until something is written; then there is no response.
  ///   - work: changes the file, with a profile that may write until the request is given up.
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

  /// Removes a source, saved list or rule from the settings as an act of the user, in the order of the keys
  /// with the other acts.
  ///
  /// - Parameter work: removes it, and returns the names of the machines that keep it.
  func remove(
    _ act: ActID, called title: String, _ work: @escaping @Sendable (Profile) throws -> [String]
  ) {
    let profile = loop.profile
    store.write(act, { _ in try work(profile) }) { [weak self] machines in
      self?.loop.happened(.journal(.performed(act)))
      if !machines.isEmpty { self?.loop.happened(.sources(.removedHere(title: title, keptOn: machines))) }
      self?.reopenSoon()
    }
  }

  /// Undoes the last act, or redoes the last undone one. Either may be an edit of the settings.
  func turn(_ id: ActID, isUndo: Bool) {
    let profile = loop.profile
    store.write(id, { _ in try isUndo ? profile.undoLastAct() : profile.redoLastAct() }) {
      [weak self] turned in
      guard let self else { return }
      let (act, count, left) = (turned.map(UserAct.init), turned?.count ?? 0, turned?.left ?? 0)
      loop.happened(
        .journal(
          isUndo
            ? .undone(id, act, count: count, left: left, on: turned?.machines ?? [])
            : .redone(id, act, count: count, left: left)))
      guard let edit = turned?.edit else { return }
      if [.quieted, .quietEnded].contains(edit.kind) { quietChanged() } else { reopenSoon() }
    }
  }

  private func reopenSoon() {
    loop.finishBeforeEnd(
      Task { [weak self] in await self?.reopen() })
  }

  /// Opens a file of the settings in the user's editor, which uses the terminal.
  ///
  /// - Parameters:
  ///   - path: the path, or `nil` for the file that the user writes.
  ///   - line: the line at which the editor begins; 0 if it isn't known.
  func edit(_ path: String? = nil, line: Int) {
    let editor = TextEditor(environment: loop.profile.environment.variables)
    let path = path ?? loop.profile.settingsFile.path
    loop.finishBeforeEnd(
      Task { [weak self] in
        await self?.programs.runInTerminal(editor.words(for: path, at: line), named: editor.line)
        await self?.reopen(onlyIfTheyDiffer: true)
      })
  }

  struct BadName: UserFacingError {
    let sentence = "a name is 1 to 64 visible characters"
  }
}

extension Result where Failure == any Error {
  /// The reason for a failure, as a clause, or `nil` for a success.
  @MainActor
  var refusal: String? {
    if case .failure(let failure) = self { InboxLoop.reason(failure) } else { nil }
  }
}
