import Foundation
import Interface
import Messages
import Platform
import Profile
import Settings
import Storage
import Subscriptions

/// Adding sources from the inbox, and changing their settings.
extension LiveSettings {
  func perform(_ effect: SourceEffect) {
    switch effect {
    case .add(let address, let request): add(address, request)
    case .change(let source, let change, let request): self.change(source, change, request)
    case .remove(let id, let title, let act):
      let source = source(id)
      remove(act, called: title) { profile in
        guard let source else { throw StoreFailure.unknownSource(id) }
        return try profile.remove(source, called: title)
      }
    case .editSettings(let source): edit(source)
    }
  }

  func perform(_ effect: FormEffect) {
    switch effect {
    case .load(.source(let id), let request): loadForm(id, request)
    case .load(.list(let id), let request): loadForm(id, request)
    // The form is requested by the name of the service.
    case .load(.service, _): break
    case .save(let form, let request): save(form, request)
    }
  }

  /// Follows the source at a URL.
  private func add(_ address: String, _ request: RequestID) {
    let profile = loop.profile.permitted(by: loop.requests.begin(request))
    let task = Task { [weak self, added] in
      let answer = await SourceAdder(profile).answer(to: address) { await added($0) }
      guard let self, loop.requests.end(request) else { return }
      switch answer {
      case .added, .imported: await reopen()
      case .alreadyThere, .choices, .asks, .failed, .refused: break
      }
      loop.happened(.sources(.addAnswered(request, answer)))
    }
    loop.requests.follow(task, of: request)
  }

  /// Loads the settings of a source for the form.
  private func loadForm(_ id: SourceID, _ request: RequestID) {
    guard let source = source(id) else {
      return loop.happened(.forms(.answered(request, reason: StoreFailure.unknownSource(id).sentence)))
    }
    let settings = loop.profile.settings
    guard let entry = settings.sources.first(where: { $0.name == source.name }) else {
      return loop.happened(.forms(.answered(request, reason: NotInSettings(name: source.name).sentence)))
    }
    let fields = SourceFields.Field.ofSources.filter { $0 != .url || !source.address.isEmpty }
    let entries = fields.map { field in
      let (own, common) = (entry.text(field), settings.sourceDefaults.text(field))
      return SourceFields.Entry(field: field, stored: own == common ? "" : own, usual: common)
    }
    loop.happened(.forms(.loaded(request, SourceFields(.source(id), entries: entries))))
  }

  private func source(_ id: SourceID?) -> Source? { loop.profile.sources.first { $0.id == id } }

  private func save(_ form: SourceForm, _ request: RequestID) {
    switch form.subject {
    case .source(let id): save(form.changes, of: id, request)
    case .list(let id): save(form.changes, of: id, request)
    case .service(let kind, _): add(kind, form, request)
    }
  }

  private func add(_ kind: SourceKind, _ form: SourceForm, _ request: RequestID) {
    let profile = loop.profile.permitted(by: loop.requests.begin(request))
    let task = Task { [weak self, added] in
      let answer = await SourceAdder(profile).answer(to: form.texts, of: kind) { await added($0) }
      guard let self, loop.requests.end(request) else { return }
      switch answer {
      case .success(let added):
        await reopen()
        loop.happened(.sources(.addAnswered(request, .added(name: added.name, title: added.title))))
      case .failure(let mistake):
        loop.happened(.forms(.answered(request, reason: mistake.reason, at: mistake.field)))
      }
    }
    loop.requests.follow(task, of: request)
  }

  private func save(
    _ changes: [(field: SourceFields.Field, text: String)], of id: SourceID, _ request: RequestID
  ) {
    guard let source = source(id) else {
      return loop.happened(.forms(.answered(request, reason: StoreFailure.unknownSource(id).sentence)))
    }
    change(request) { profile in
      let name = changes.first { $0.field == .name }?.text
      if let name, !SourceName.isValid(name) { throw BadName() }
      let others = changes.filter { $0.field != .name }.map { field, text in
        let address = field == .url ? SourceAdder(profile).address(text, of: source) : nil
        return SettingsFile.Change(field.rawValue, field.toml(address ?? text))
      }
      try profile.change(source, name: name, others)
    } then: { [loop] result in
      loop.happened(.forms(.answered(request, reason: result.refusal)))
    }
  }

  private func change(_ id: SourceID, _ change: SourceChange, _ request: RequestID) {
    guard let source = source(id) else {
      return loop.happened(.settings(.unchanged(request, reason: StoreFailure.unknownSource(id).sentence)))
    }
    let others = loop.profile.sources
    let title = loop.state.title(ofSource: id)
    self.change(request) { profile in
      switch change {
      case .pause, .resume:
        let value = change == .pause ? "true" : nil
        guard try profile.settingsFile.change(source: source.name, [SettingsFile.Change("paused", value)])
        else { throw NotInSettings(name: source.name) }
      case .swap(let other):
        guard let other = others.first(where: { $0.id == other }) else { return }
        try profile.settingsFile.swap(source.name, with: other.name)
      }
    } then: { [loop] result in
      loop.happened(
        result.refusal.map { .settings(.unchanged(request, reason: $0)) }
          ?? .sources(.changed(request, change, title: title)))
    }
  }

  /// Opens the table of a source in the user's editor, or the beginning of the settings if it has no table.
  private func edit(_ id: SourceID?) {
    let name = source(id)?.name
    let entry = loop.profile.settings.sources.first { $0.name == name }
    edit(entry.map { loop.profile.settingsFile.path(of: $0) }, line: entry?.line ?? 0)
  }

  /// An error: scripts have made the source, so that it is not in the settings.
  struct NotInSettings: UserFacingError {
    let name: String
    var sentence: String { "\(name) is not in the settings: scripts made it" }
  }
}

extension SourceEntry {
  /// Returns the value as a user writes it, without quotes.
  fileprivate func text(_ field: SourceFields.Field) -> String {
    switch field {
    case .name: source.name
    case .title: source.title ?? ""
    case .folder: source.folder?.path ?? ""
    case .interval: DurationText.format(source.polling.interval)
    case .notify: source.settings.notifies ? "true" : "false"
    case .keep: source.settings.retention.age.map(DurationText.format) ?? ""
    case .url: source.settings.shownAddress
    case .query, .user, .tokenCommand: ""
    }
  }
}

extension SourceFields.Field {
  /// Returns the user's text as a value of the settings, or `nil` if it is empty.
  func toml(_ text: String) -> String? {
    if text.isEmpty { return nil }
    switch self {
    case .name, .title, .url, .folder, .interval, .keep, .query, .user, .tokenCommand:
      return TOMLText.quoted(text)
    case .notify:
      let word = text.lowercased()
      if ["true", "yes", "y", "on"].contains(word) { return "true" }
      if ["false", "no", "n", "off"].contains(word) { return "false" }
      return TOMLText.quoted(text)
    }
  }
}
