import Basics
import Foundation
import Messages
import Screen
import Testing

@testable import Interface

/// The interface with a store that answers at once, as in the program's own loop.
struct Stage {
  var state: AppState
  var store: ModelStore
  /// All effects, also those that were answered.
  var effects: [Effect] = []
  var hasClipboard = true
  var laysOut = true
  /// Why the settings cannot be changed.
  var refusal: String?
  /// The last requested wait for a second key.
  private var sequence: Int?
  private var query = InboxQuery()
  private var window = InboxWindow()
  /// The last act that the store has.
  private var written = ActID.none

  static let utc = ZoneClock.gmt

  init(
    _ store: ModelStore = .sample, columns: Int = 150, rows: Int = 40, scope: InboxQuery.Scope = .all,
    options: InterfaceOptions = InterfaceOptions(zone: Stage.utc), timeline: Bool = false,
    preferences: Preferences = Preferences()
  ) {
    self.store = store
    state = AppState(
      options: options, size: Size(columns: columns, rows: rows), now: ModelStore.start, scope: scope,
      timeline: timeline, preferences: preferences)
    send(.started)
    effects = []
  }

  /// Creates a stage with the messages among those of another source: two newer and two older ones, which keys never apply to.
  /// The first message of the given store is selected.
  init(
    amid store: ModelStore, columns: Int = 150, rows: Int = 40,
    options: InterfaceOptions = InterfaceOptions(zone: Stage.utc)
  ) {
    var store = store
    let first = store.rows(InboxQuery()).first?.id
    store.addNeighbours()
    self.init(store, columns: columns, rows: rows, options: options)
    while state.shown.list.selectedRow?.id != first, state.shown.list.selected < store.messages.count - 1 {
      send(.input(.key(KeyPress("j"))))
    }
    effects = []
  }

  mutating func send(_ action: Action) {
    carryOut(update(&state, action))
  }

  /// Carries out effects and their consequences.
  mutating func carryOut(_ new: [Effect]) {
    var waiting = new
    var rounds = 0
    while !waiting.isEmpty {
      rounds += 1
      guard rounds < 500 else {
        Issue.record("effects without end: \(waiting.prefix(3))")
        return
      }
      let effect = waiting.removeFirst()
      effects.append(effect)
      for answer in answers(effect) { waiting += update(&state, answer) }
    }
  }

  private mutating func answers(_ effect: Effect) -> [Action] {
    switch effect {
    case .load(let query, let window):
      (self.query, self.window) = (query, window)
      return [changed]
    case .markSeen(let scope):
      store.markSeen(scope)
      return [changed]
    case .journal(let effect): return answers(effect)
    case .keys(.scheduleSequenceEnd(let number)):
      sequence = number
      return []
    case .links(let effect): return answers(effect)
    case .reader(.load(let id)): return [.reader(.loaded(id, store.message(id), including: written))]
    case .reader(.layOut(let request)):
      return laysOut ? [.reader(.laidOut(request.number, request.page()))] : []
    case .banner(.layOut(let request)):
      return laysOut ? [.banner(.laidOut(request.number, request.view()))] : []
    case .rules(.loadOrigin(let id, let request)):
      let origin = store.message(id).map { message in
        RuleOrigin(
          message: message,
          neighbours: store.messages.filter { $0.source == message.source && $0.id != id }.map {
            RuleNeighbour(title: $0.content.title, tags: $0.content.tags)
          }, counts: [:], takenNames: ["noise"])
      }
      return [.rules(.originLoaded(request, origin))]
    case .rules(.remove(_, let id)):
      if let refusal { return [.journal(.refused(id, reason: refusal))] }
      written = id
      return [.journal(.performed(id)), changed]
    case .savedLists(let effect): return answers(effect)
    case .search(let effect): return answers(effect)
    case .sources(.change(_, let change, let request)):
      return [.sources(.changed(request, change, title: ""))]
    case .sources(.remove(let source, _, let id)): return remove(.source(source), id)
    // Nothing is answered at once.
    case _: return []
    }
  }

  private mutating func answers(_ effect: JournalEffect) -> [Action] {
    switch effect {
    case .perform(let act, let id):
      let count = store.perform(act)
      written = id
      return [.journal(.performed(id, changed: count)), changed]
    case .undo(let id):
      let act = store.undo()
      written = id
      return [.journal(.undone(id, act)), changed]
    case .snooze(let selection, let text, let act, let request):
      // This store understands only hours.
      guard let hours = Double(text.replacing("h", with: "")) else {
        return [.journal(.snoozed(act, selection, until: nil, text: text, request))]
      }
      let until = ModelStore.start + hours * 3600
      let count = store.perform(UserAct(.snooze, selection, until: until))
      written = act
      return [
        .journal(.snoozed(act, selection, until: until, text: text, request)),
        .journal(.performed(act, changed: count)), changed,
      ]
    case .redo, .join: return []
    }
  }

  private func answers(_ effect: LinkEffect) -> [Action] {
    switch effect {
    case .findAddresses(let ids, let request):
      let addresses = ids.compactMap { id in store.message(id)?.content.url.map { (id, $0) } }
      return [.links(.addressesFound(request, Dictionary(uniqueKeysWithValues: addresses)))]
    case .copy(let text, let request): return [.links(.copied(request, text, isSent: hasClipboard))]
    case .open, .openEnclosure, .goToPane, .perform: return []
    }
  }

  private mutating func answers(_ effect: SavedListEffect) -> [Action] {
    switch effect {
    case .remove(let name, let id):
      guard let list = store.lists.first(where: { $0.list.name == name }) else {
        return [.journal(.refused(id, reason: "no list \(name)"))]
      }
      return remove(.list(list.id), id)
    case .swap(_, _, let request): return [.sources(.changed(request, nil, title: ""))]
    case .save, .editSettings: return []
    }
  }

  private func answers(_ effect: SearchEffect) -> [Action] {
    switch effect {
    case .findUnread(let query, let key, let forward, let request):
      return [.search(.unreadFound(request, store.nextUnread(query, from: key, forward: forward)))]
    case .findHits(let query):
      return [.search(.hitsFound(query, Array(store.rows(query).map(\.key).prefix(InboxQuery.mostHits + 1))))]
    case .loadNames(let request): return [.search(.namesLoaded(request, [:]))]
    }
  }

  private mutating func remove(_ scope: InboxQuery.Scope, _ id: ActID) -> [Action] {
    if let refusal { return [.journal(.refused(id, reason: refusal))] }
    guard store.remove(scope) else { return [.journal(.refused(id, reason: "it is not there"))] }
    written = id
    return [.journal(.performed(id)), changed]
  }

  private var changed: Action { .inboxChanged(store.snapshot(query, window), including: written) }

  /// Opens a form as its key does.
  mutating func open(_ form: SourceFields) {
    let request = state.pending.ask()
    state.pending.form = request
    send(.forms(.loaded(request, form)))
  }

  /// The last request.
  var asked: RequestID { state.pending.lastRequest }

  /// The user's acts, without their numbers.
  var acts: [UserAct] {
    effects.compactMap { if case .journal(.perform(let act, _)) = $0 { act } else { nil } }
  }

  /// Changes the store from outside and notifies the interface.
  mutating func outside(_ change: (inout ModelStore) -> Void) {
    change(&store)
    send(changed)
  }

  /// Presses keys by their names, one right after the other, and waits until the last one is done.
  mutating func press(_ names: String...) throws {
    for name in names { send(.input(.key(try #require(KeyPress(parsing: name))))) }
    endSequence()
  }

  /// The time for a second key passes.
  mutating func endSequence() {
    if let sequence { send(.keys(.sequenceEnded(sequence))) }
    sequence = nil
  }

  mutating func type(_ text: String) {
    for character in text { send(.input(.key(KeyPress(character)))) }
    endSequence()
  }

  mutating func resize(_ columns: Int, _ rows: Int) {
    send(.input(.resize(Size(columns: columns, rows: rows))))
  }

  /// Opens all subjects of the help, and selects its first line.
  mutating func openSubjects() {
    for _ in 0..<120 {
      switch state.helpPage?.selected {
      case .group?, .programs?: send(.input(.key(KeyPress(.right))))
      case _: break
      }
      send(.input(.key(KeyPress(.down))))
    }
    send(.input(.key(KeyPress(.home))))
  }

  var frame: Frame { render(state, state.terminal.size) }
  var lines: [String] { frame.lines() }
  var screen: String { lines.joined(separator: "\n") }
  var bottom: String { lines.last ?? "" }
  /// The last lines as one: a sentence may need several.
  var lastLines: String {
    lines.suffix(max(1, lines.count / 2)).map { $0.trimmingCharacters(in: .whitespaces) }.joined(
      separator: " ")
  }
  var selectedTitle: String? { state.shown.list.selectedRow?.title }
}

extension ModelStore {
  /// Three sources and a handful of messages, some of them read.
  static let sample: ModelStore = {
    var store = ModelStore()
    store.addSource("swift", title: "Swift Blog")
    store.addSource("team", title: "Team board", kind: .native)
    store.addSource("scripts", title: "Scripts", kind: .local)
    store.add("Swift 6.3 released", age: 600, body: "It is here.\nRead https://www.swift.org/blog for more.")
    {
      $0.content.author = "Jane Doe"
      $0.content.url = "https://www.swift.org/blog/swift-6.3"
      $0.content.tags = ["release", "swift"]
    }
    store.add("Deployment at 15:00", source: 2, age: 3600, body: "The board will be away for a minute.")
    store.add("Tests done", source: 3, age: 7200, unread: false, body: "exit 0")
    store.add("消息中心 的 新 功能 和 修复", source: 2, age: 90_000, body: "很多。") { $0.isStarred = true }
    store.add("What is new in Foundation", age: 3 * 86400, unread: false)
    store.add("Older news", age: 40 * 86400, unread: false)
    store.add("Much older news", age: 800 * 86400, unread: false)
    store.add("Maintenance on Sunday, 02:00 to 04:00", source: 2, age: 300) {
      $0.content.rank = .downtime
      $0.content.isDismissable = false
    }
    for index in store.sources.indices {
      store.sources[index].isUnseen = index == 1
      if store.sources[index].source.kind != .local {
        store.sources[index].state.lastAttemptEnd = start - 180
      }
    }
    return store
  }()

  /// One source with many messages, every third of them unread, a minute apart.
  static func long(_ count: Int) -> ModelStore {
    var store = ModelStore()
    store.addSource("log", title: "Log")
    for index in 0..<count {
      store.add("Message \(index)", age: Double(index) * 60, unread: index % 3 == 0, body: "Text \(index)")
    }
    store.sources[0].isUnseen = false
    return store
  }
}
