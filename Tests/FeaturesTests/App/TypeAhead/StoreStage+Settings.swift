import Foundation
import Messages
import Queries

@testable import Interface
@testable import Storage

/// The work that the program does on separate threads, most of it with the settings file.
extension StoreStage {
  /// The content of the settings, as far as keys change it.
  struct SettingsModel: Equatable {
    var sources: [ConfiguredSource]
    var lists: [SavedList]
    var rules: [RuleRow]
  }

  /// An edit, of which the journal has the number.
  enum Edit {
    case settings(before: SettingsModel, after: SettingsModel)
    /// A source of scripts is in no settings.
    case local(Source)
  }

  var settings: SettingsModel {
    get { SettingsModel(sources: sources, lists: lists, rules: rules) }
    set { (sources, lists, rules) = (newValue.sources, newValue.lists, newValue.rules) }
  }

  func perform(_ effect: FormEffect) {
    switch effect {
    case .load(let subject, let request): immediate.append(.forms(.loaded(request, form(subject))))
    case .save(let form, let request):
      let title = form.changes.first { $0.field == .title }?.text
      others.append { [self] in
        guard let title, case .source(let id) = form.subject, let place = try place(of: id) else {
          return try happened(.forms(.answered(request, reason: "no")))
        }
        try edit(SettingsAct(.changed, sources[place].name)) {
          $0.sources[place].settings.title = title.isEmpty ? nil : title
        }
        try happened(.forms(.answered(request, reason: nil)))
      }
    }
  }

  func perform(_ effect: SourceEffect) {
    switch effect {
    case .add(let address, let request):
      sent.append(.sources(.add(address, RequestID(0))))
      others.append { [self] in
        let name = sources.first?.name ?? ""
        let answers: [AddAnswer] = [
          .alreadyThere(name: name, title: name), .refused(reason: "read-only"),
          .choices([
            FeedChoice(title: "A", url: "https://a.example"),
            FeedChoice(title: "", url: "https://b.example/x"),
          ]),
        ]
        try happened(.sources(.addAnswered(request, answers[address.count % answers.count])))
      }
    case .change(let id, let change, let request):
      let title = state.title(ofSource: id)
      others.append { [self] in
        try self.change(id, change)
        try happened(.sources(.changed(request, change, title: title)))
      }
    case .remove(let source, let title, let act):
      let now = now
      write(act, { [self] _ in try remove(source, called: title, at: now) }) { _ in .journal(.performed(act))
      }
    case .editSettings: sent.append(.sources(effect))
    }
  }

  func perform(_ effect: SavedListEffect) {
    switch effect {
    case .save(let name, let query, let request):
      others.append { [self] in
        guard !lists.contains(where: { $0.name == name }),
          case .success(let parsed) = Query.parse(query, .strict)
        else { return try happened(.savedLists(.saved(request, name: name, reason: "no"))) }
        try edit(SettingsAct(.listAdded, name)) { $0.lists.append(SavedList(name: name, query: parsed.text)) }
        try happened(.savedLists(.saved(request, name: name, reason: nil)))
      }
    case .swap(let id, let other, let request):
      let (name, otherName) = (state.listName(id), state.listName(other))
      others.append { [self] in
        guard let a = lists.firstIndex(where: { $0.name == name }),
          let b = lists.firstIndex(where: { $0.name == otherName })
        else { return try happened(.settings(.unchanged(request, reason: "no"))) }
        try edit(SettingsAct(.listMoved, name)) { $0.lists.swapAt(a, b) }
        try happened(.sources(.changed(request, nil, title: name)))
      }
    case .remove(let name, let act):
      let now = now
      write(act, { [self] _ in try remove(listNamed: name, at: now) }) { _ in .journal(.performed(act)) }
    case .editSettings: sent.append(.savedLists(effect))
    }
  }

  func perform(_ effect: RulesEffect) {
    switch effect {
    case .load(let request):
      others.append { [self] in try happened(.rules(.loaded(request, rules))) }
    case .loadOrigin(let id, let request):
      read({ store in
        try store.messages.find(id).map {
          let neighbours = try store.rules.neighbours(of: id, in: $0.source, limit: RuleOrigin.mostNeighbours)
          return RuleOrigin(
            message: $0, neighbours: neighbours,
            counts: try store.rules.counts(of: RuleOrigin.askedWords($0)), takenNames: ["noise"])
        }
      }) { .rules(.originLoaded(request, $0)) }
    case .startTrial(let request): startTrial(request)
    case .stopTrial: startTrial(nil)
    case .save(let draft, let request):
      sent.append(.rules(.save(draft, RequestID(0))))
      others.append { [self] in
        let reason = try save(draft) ? nil : "no"
        try happened(.rules(.saved(request, draft, reason: reason)))
      }
    case .turn(let name, let isOn, let request):
      others.append { [self] in
        guard let place = rules.firstIndex(where: { $0.name == name }) else {
          return try happened(.settings(.unchanged(request, reason: "no")))
        }
        try edit(SettingsAct(isOn ? .ruleOn : .ruleOff, name)) { $0.rules[place].isOn = isOn }
        try happened(.rules(.switched(request, name: name, isOn: isOn)))
      }
    case .remove(let name, let act):
      let now = now
      write(act, { [self] _ in try remove(ruleNamed: name, at: now) }) { _ in .journal(.performed(act)) }
    case .apply(_, let id): write(id, { _ in 0 }) { .journal(.performed(id, changed: $0)) }
    case .editSettings: sent.append(.rules(effect))
    }
  }

  /// - Returns: `false` if the name is taken, or the rule no longer exists.
  private func save(_ draft: RuleDraft) throws -> Bool {
    let row = RuleRow(
      name: draft.name, condition: draft.condition, actions: draft.actions, stops: draft.stops)
    let others = rules.filter { $0.name != draft.replaces }
    guard !others.contains(where: { $0.name == draft.name }) else { return false }
    guard let replaced = draft.replaces else {
      try edit(SettingsAct(.ruleAdded, draft.name)) { $0.rules.append(row) }
      return true
    }
    guard let place = rules.firstIndex(where: { $0.name == replaced }) else { return false }
    try edit(SettingsAct(.ruleChanged, draft.name)) { $0.rules[place] = row }
    return true
  }

  func time(_ text: String) -> Date? {
    guard let hours = Double(text.replacing("h", with: "")), (1...99).contains(hours) else { return nil }
    return now + hours * 3600
  }

  func form(_ subject: SourceFields.Subject) -> SourceFields {
    let (title, fields) =
      switch subject {
      case .source(let id): (state.title(ofSource: id), SourceFields.Field.ofSources)
      case .list(let id): (state.listName(id), SourceFields.Field.ofLists)
      case .service(_, let name): (name, [SourceFields.Field.url, .user, .tokenCommand])
      }
    return SourceFields(
      subject,
      entries: fields.map { .init(field: $0, stored: $0 == .name ? title : "", usual: "") })
  }

  private func place(of id: SourceID) throws -> Int? {
    let name = try store.sources.statuses().first { $0.source.id == id }?.source.name
    return sources.firstIndex { $0.name == name }
  }

  private func change(_ id: SourceID, _ change: SourceChange) throws {
    guard let place = try place(of: id) else { return }
    let name = sources[place].name
    switch change {
    case .pause: try edit(SettingsAct(.paused, name)) { $0.sources[place].settings.isPaused = true }
    case .resume: try edit(SettingsAct(.resumed, name)) { $0.sources[place].settings.isPaused = false }
    case .swap(let other):
      guard let otherPlace = try self.place(of: other) else { return }
      try edit(SettingsAct(.moved, name)) { $0.sources.swapAt(place, otherPlace) }
    }
  }

  // MARK: Edits as steps of the journal

  /// Edits the settings for a form or a prompt: the program has read them again when it answers.
  private func edit(_ act: SettingsAct, _ change: (inout SettingsModel) -> Void) throws {
    if try write(act, at: now, change) { try happened(.rules(.changed)) }
  }

  /// Edits the settings in the order of the acts: the program reads them again some time after the answer.
  private func remove(_ act: SettingsAct, at now: Date, _ change: (inout SettingsModel) -> Void) throws {
    if try write(act, at: now, change) { readAgain() }
  }

  private func readAgain() { others.append { [self] in try happened(.rules(.changed)) } }

  /// Writes an edit as one step of the journal. An edit without a change is no step.
  ///
  /// - Returns: whether the rules have changed.
  private func write(_ act: SettingsAct, at now: Date, _ change: (inout SettingsModel) -> Void) throws -> Bool
  {
    let before = settings
    var after = before
    change(&after)
    guard after != before else { return false }
    try journal(.settings(before: before, after: after), act, at: now)
    return try take(after)
  }

  /// - Returns: whether there are other rules.
  private func take(_ new: SettingsModel) throws -> Bool {
    let old = settings
    settings = new
    if new.sources != old.sources { try store.sources.register(sources, at: now) }
    if new.lists != old.lists {
      try store.savedLists.apply(lists: lists)
      while try store.savedLists.judge(at: now) {}
    }
    isChanged = true
    return new.rules != old.rules
  }

  private func journal(_ edit: Edit, _ act: SettingsAct, at now: Date) throws {
    _ = try store.acts.journal(JournaledEdit(act, .file(String(edits.count))), at: now)
    edits.append(edit)
  }

  func remove(_ id: SourceID, called title: String, at now: Date) throws {
    if let place = try place(of: id) {
      try remove(SettingsAct(.removed, title), at: now) { $0.sources.remove(at: place) }
    } else if let source = try store.sources.statuses().first(where: { $0.source.id == id })?.source {
      try journal(.local(source), SettingsAct(.removed, title), at: now)
      try store.sources.remove(id)
    }
  }

  func remove(listNamed name: String, at now: Date) throws {
    try remove(SettingsAct(.removed, name), at: now) { $0.lists.removeAll { $0.name == name } }
  }

  func remove(ruleNamed name: String, at now: Date) throws {
    try remove(SettingsAct(.ruleRemoved, name), at: now) { $0.rules.removeAll { $0.name == name } }
  }

  /// Undoes the last act, and restores the settings that it changed.
  func undo(at now: Date) throws -> UndoneAct? { try turn(store.acts.undo(at: now), at: now) }

  /// Redoes the act that was undone last.
  func redo(at now: Date) throws -> UndoneAct? { try turn(store.acts.redo(at: now), at: now) }

  private func turn(_ turned: UndoneAct?, at now: Date) throws -> UndoneAct? {
    guard let step = turned?.step, let edit = step.edits.first else { return turned }
    if case .file(let text) = edit.content, let number = Int(text), edits.indices.contains(number) {
      switch (edits[number], step.isUndone) {
      case (.settings(let before, let after), let isUndone):
        if try take(isUndone ? before : after) { readAgain() }
      case (.local(let source), true): _ = try store.sources.restore(source.id)
      case (.local(let source), false): _ = try store.sources.unlist(local: source.id)
      }
    }
    try store.acts.finish(step, at: now)
    return turned
  }
}
