import Foundation
import Interface
import Messages
import Storage
import Threads

/// Changing the settings of sources from the inbox.
@MainActor
extension InboxSession {
  func loadForm(_ subject: SourceForm.Subject, _ request: RequestID) {
    switch subject {
    case .source(let id): loadForm(id, request)
    case .list(let id): loadForm(id, request)
    }
  }

  /// What the settings say of a source.
  private func loadForm(_ id: SourceID, _ request: RequestID) {
    guard let source = workspace.sources.first(where: { $0.id == id }) else {
      return happened(.formAnswered(request, reason: StoreFailure.unknownSource(id).sentence))
    }
    guard let entry = workspace.settings.sources.first(where: { $0.name == source.name }) else {
      let reason = NotInSettings(name: source.name).sentence
      return happened(.formAnswered(request, reason: reason))
    }
    let usual = workspace.settings.sourceDefaults
    let entries = SourceForm.Field.ofSources.map { field in
      let (own, common) = (entry.text(field), usual.text(field))
      return SourceForm.Entry(
        field: field, stored: own == common ? "" : own, usual: common)
    }
    happened(.formLoaded(request, SourceForm(source: id, entries: entries)))
  }

  func saveForm(_ form: SourceForm, _ request: RequestID) {
    switch form.subject {
    case .source(let id): save(form.changes, of: id, request)
    case .list(let id): save(form.changes, of: id, request)
    }
  }

  private func save(
    _ changes: [(field: SourceForm.Field, text: String)], of id: SourceID, _ request: RequestID
  ) {
    guard let source = workspace.sources.first(where: { $0.id == id }) else {
      return happened(.formAnswered(request, reason: StoreFailure.unknownSource(id).sentence))
    }
    changeSettings { workspace in
      let name = changes.first { $0.field == .name }?.text
      if let name, !SourceName.isValid(name) { throw BadName() }
      let others = changes.filter { $0.field != .name }.map { field, text in
        SettingsFile.Change(field.rawValue, field.toml(text))
      }
      try workspace.change(source, name: name, others)
    } then: { session, result in
      switch result {
      case .success: session.happened(.formAnswered(request, reason: nil))
      case .failure(let failure): session.happened(.formAnswered(request, reason: session.reason(failure)))
      }
    }
  }

  func change(_ id: SourceID, _ change: SourceChange, _ request: RequestID) {
    guard let source = workspace.sources.first(where: { $0.id == id }) else {
      return happened(.settingsUnchanged(request, reason: StoreFailure.unknownSource(id).sentence))
    }
    let others = workspace.sources
    let title = state.title(ofSource: id)
    changeSettings { workspace in
      switch change {
      case .pause, .resume:
        let value = change == .pause ? "true" : nil
        guard try workspace.settingsFile.change(source: source.name, [SettingsFile.Change("paused", value)])
        else { throw NotInSettings(name: source.name) }
      case .swap(let other):
        guard let other = others.first(where: { $0.id == other }) else { return }
        try workspace.settingsFile.swap(source.name, with: other.name)
      }
    } then: { session, result in
      switch result {
      case .success: session.happened(.sourceChanged(request, change, title: title))
      case .failure(let failure):
        session.happened(.settingsUnchanged(request, reason: session.reason(failure)))
      }
    }
  }

  func remove(_ id: SourceID, called title: String, _ act: ActID) {
    let source = workspace.sources.first { $0.id == id }
    remove(act) { workspace in
      guard let source else { throw StoreFailure.unknownSource(id) }
      try workspace.remove(source, called: title)
    }
  }

  /// Removes something as an act of the user: in the order of the keys, with the other acts.
  func remove(_ act: ActID, _ work: @escaping @Sendable (Workspace) throws -> Void) {
    write(act, { [workspace] _ in try work(workspace) }) { session, _ in
      session.happened(.performed(act))
      session.reopenSettingsSoon()
    }
  }

  func undo(_ id: ActID) {
    write(id, { [workspace] _ in try workspace.undoLastAct() }) { session, undone in
      session.happened(.undone(id, undone.map(UserAct.init), count: undone?.count ?? 0))
      if undone?.kind == .removal { session.reopenSettingsSoon() }
    }
  }

  private func reopenSettingsSoon() {
    finishBeforeEnd(Task { [weak self] in await self?.reopenSettings() })
  }

  /// Of its table in the settings; 0 where it has none.
  func line(of source: SourceID?) -> Int {
    let name = workspace.sources.first { $0.id == source }?.name
    return workspace.settings.sources.first { $0.name == name }?.line ?? 0
  }

  /// Gives the terminal to the user's editor with the settings file.
  func editSettings(line: Int) {
    let editor = TextEditor(environment: workspace.environment.variables)
    let path = workspace.settingsFile.path
    finishBeforeEnd(
      Task { [weak self] in
        await self?.runInTerminal(editor.words(for: path, at: line), named: editor.line)
        await self?.reopenSettings(onlyIfTheyDiffer: true)
      })
  }

  /// Changes the settings file away from the main thread, then takes over what stands there.
  func changeSettings<Value: Sendable>(
    _ work: @escaping @Sendable (Workspace) throws -> Value,
    then: @escaping @MainActor (InboxSession, Result<Value, any Error>) -> Void
  ) {
    let workspace = workspace
    finishBeforeEnd(
      Task { [weak self, threads] in
        let result = await threads.run { Result { try work(workspace) } }
        guard let self else { return }
        if case .success = result { await reopenSettings() }
        then(self, result)
      })
  }

  /// A source of scripts stands in no settings.
  private struct NotInSettings: UserFacingError {
    let name: String
    var sentence: String { "\(name) is not in the settings: scripts made it" }
  }

  struct BadName: UserFacingError {
    let sentence = "a name is 1 to 64 visible characters"
  }
}

extension SourceEntry {
  /// As a person writes it, without quotes.
  fileprivate func text(_ field: SourceForm.Field) -> String {
    switch field {
    case .name: source.name
    case .title: source.title ?? ""
    case .folder: source.folder?.path ?? ""
    case .interval: DurationText.format(source.polling.interval)
    case .notify: source.settings.tells ? "true" : "false"
    case .keep: source.settings.retention.age.map(DurationText.format) ?? ""
    case .query: ""
    }
  }
}

extension SourceForm.Field {
  /// What a person wrote, as a value of the settings; nil for an empty text.
  func toml(_ text: String) -> String? {
    if text.isEmpty { return nil }
    switch self {
    case .name, .title, .folder, .interval, .keep, .query: return TOMLText.quoted(text)
    case .notify:
      let word = text.lowercased()
      if ["true", "yes", "y", "on"].contains(word) { return "true" }
      if ["false", "no", "n", "off"].contains(word) { return "false" }
      return TOMLText.quoted(text)
    }
  }
}
