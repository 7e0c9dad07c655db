import Foundation
import Messages
import Queries

@testable import Interface
@testable import Storage

/// What the program does on threads of its own, most of it with the settings file.
extension StoreStage {
  enum Removal {
    case source(ConfiguredSource, Int)
    case local(Source)
    case list(SavedList, Int)
  }

  func performSlowly(_ effect: Effect) {
    switch effect {
    case .saveForm(let form, let request):
      let title = form.changes.first { $0.field == .title }?.text
      others.append { [self] in
        guard let title, case .source(let id) = form.subject else {
          return try happened(.formAnswered(request, reason: "no"))
        }
        if let place = try place(of: id) { sources[place].settings.title = title.isEmpty ? nil : title }
        try register()
        try happened(.formAnswered(request, reason: nil))
      }
    case .saveRule(let draft, let request):
      sent.append(effect)
      others.append { [self] in try happened(.ruleSaved(request, draft, reason: "no")) }
    case .changeSource(let id, let change, let request):
      let title = state.title(ofSource: id)
      others.append { [self] in
        try self.change(id, change)
        try happened(.sourceChanged(request, change, title: title))
      }
    case .swapLists(let id, let other, let request):
      let (name, otherName) = (state.listName(id), state.listName(other))
      others.append { [self] in
        guard let a = lists.firstIndex(where: { $0.name == name }),
          let b = lists.firstIndex(where: { $0.name == otherName })
        else { return try happened(.settingsUnchanged(request, reason: "no")) }
        lists.swapAt(a, b)
        try takeLists()
        try happened(.sourceChanged(request, nil, title: name))
      }
    case .saveList(let name, let query, let request):
      others.append { [self] in
        guard !lists.contains(where: { $0.name == name }),
          case .success(let parsed) = Query.parse(query, .strict)
        else { return try happened(.listSaved(request, name: name, reason: "no")) }
        lists.append(SavedList(name: name, query: parsed.text))
        try takeLists()
        try happened(.listSaved(request, name: name, reason: nil))
      }
    case .addSource(let address, let request):
      sent.append(effect)
      others.append { [self] in
        let name = sources.first?.name ?? ""
        let answers: [AddAnswer] = [
          .alreadyThere(name: name, title: name), .refused(reason: "read-only"),
          .choices([
            FeedChoice(title: "A", url: "https://a.example"),
            FeedChoice(title: "", url: "https://b.example/x"),
          ]),
        ]
        try happened(.addAnswered(request, answers[address.count % answers.count]))
      }
    case .save(let given, let path, let replacing, let request):
      sent.append(.save(given, path: path, replacing: replacing, RequestID(0)))
      others.append { [self] in
        let isThere = path.count % 2 == 0 && !replacing
        try happened(.saved(request, given, isThere ? .isThere : .saved(path: path)))
      }
    case .closeBanner: others.append { [self] in try happened(.bannerClosed) }
    case _: break
    }
  }

  func time(_ text: String) -> Date? {
    guard let hours = Double(text.replacing("h", with: "")), (1...99).contains(hours) else { return nil }
    return now + hours * 3600
  }

  func form(_ subject: SourceForm.Subject) -> SourceForm {
    let (title, fields) =
      switch subject {
      case .source(let id): (state.title(ofSource: id), SourceForm.Field.ofSources)
      case .list(let id): (state.listName(id), SourceForm.Field.ofLists)
      case .service(_, let name): (name, [SourceForm.Field.url, .user, .tokenCommand])
      }
    return SourceForm(
      subject,
      entries: fields.map { .init(field: $0, stored: $0 == .name ? title : "", usual: "") })
  }

  private func place(of id: SourceID) throws -> Int? {
    let name = try store.sources.statuses().first { $0.source.id == id }?.source.name
    return sources.firstIndex { $0.name == name }
  }

  private func register() throws {
    try store.sources.register(sources, at: now)
    isChanged = true
  }

  private func takeLists() throws {
    try store.savedLists.apply(lists: lists)
    while try store.savedLists.judge(at: now) {}
    isChanged = true
  }

  private func change(_ id: SourceID, _ change: SourceChange) throws {
    guard let place = try place(of: id) else { return }
    switch change {
    case .pause: sources[place].settings.isPaused = true
    case .resume: sources[place].settings.isPaused = false
    case .swap(let other):
      guard let otherPlace = try self.place(of: other) else { return }
      sources.swapAt(place, otherPlace)
    }
    try register()
  }

  // MARK: Removals

  func remove(_ id: SourceID, called title: String, at now: Date) throws {
    if let place = try place(of: id) {
      try journal(.source(sources[place], place), title, at: now)
      sources.remove(at: place)
      try register()
    } else if let source = try store.sources.statuses().first(where: { $0.source.id == id })?.source {
      try journal(.local(source), title, at: now)
      try store.sources.remove(id)
    }
  }

  func remove(listNamed name: String, at now: Date) throws {
    guard let place = lists.firstIndex(where: { $0.name == name }) else { return }
    try journal(.list(lists[place], place), name, at: now)
    lists.remove(at: place)
    try takeLists()
  }

  private func journal(_ removal: Removal, _ name: String, at now: Date) throws {
    let edit = JournaledEdit(SettingsAct(.removed, name), .file(String(removals.count)))
    _ = try store.acts.journal(edit, at: now)
    removals.append(removal)
  }

  /// Undoes the last act, and puts back what that was about.
  func undo(at now: Date) throws -> UndoneAct? {
    let undone = try store.acts.undo(at: now)
    guard let step = undone?.step, let edit = step.edits.first else { return undone }
    if case .file(let text) = edit.content, let number = Int(text), removals.indices.contains(number) {
      switch removals[number] {
      case .source(let source, let place):
        sources.insert(source, at: min(place, sources.count))
        try register()
      case .local(let source): _ = try store.sources.restore(source.id)
      case .list(let list, let place):
        lists.insert(list, at: min(place, lists.count))
        try takeLists()
      }
    }
    try store.acts.finish(step, at: now)
    return undone
  }

  /// Does again what the last undo took back.
  func redo(at now: Date) throws -> UndoneAct? {
    let redone = try store.acts.redo(at: now)
    guard let step = redone?.step, let edit = step.edits.first else { return redone }
    if case .file(let text) = edit.content, let number = Int(text), removals.indices.contains(number) {
      switch removals[number] {
      case .source(let source, _):
        sources.removeAll { $0.name == source.name }
        try register()
      case .local(let source): _ = try store.sources.unlist(local: source.id)
      case .list(let list, _):
        lists.removeAll { $0.name == list.name }
        try takeLists()
      }
    }
    try store.acts.finish(step, at: now)
    return redone
  }
}
