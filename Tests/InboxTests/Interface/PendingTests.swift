import Messages
import Screen
import TestBasics
import Testing

@testable import Interface

/// Pending acts, with lists and messages that were read before or after their writes.
struct PendingTests {
  /// Keys, writes, refusals and reads in any order that is possible in the program: writes one after another,
  /// reads at any moment, delivered in the order of their requests.
  @Test(arguments: 0..<60)
  func whatIsShownIsWhatWasDone(seed: Int) throws {
    var run = PendingRun(seed: UInt64(seed))
    for step in 0..<600 {
      run.step()
      try run.check("seed \(seed), step \(step)")
    }
    run.finish()
    try run.check("seed \(seed), at the end")
    #expect(run.state.pending.acts.entries.isEmpty)
    #expect(run.writes > 50 && run.refusals > 5 && run.staleReadings > 20)
  }
}

private struct PendingRun {
  var state: AppState
  /// The user's expectation: every act that was not refused, immediately.
  private var model: [MessageID: Mark] = [:]
  private var store = ModelStore()
  private var acts: [(id: ActID, act: UserAct)] = []
  private var readings: [Action] = []
  private var written = ActID.none
  private var random: SeededRandom
  private(set) var writes = 0
  private(set) var refusals = 0
  private(set) var staleReadings = 0

  struct Mark: Hashable {
    var isUnread: Bool
    var isStarred: Bool
    var isHidden: Bool
  }

  init(seed: UInt64) {
    random = SeededRandom(seed: seed)
    store.addSource("a")
    for index in 0..<12 { store.add("Message \(index)", age: Double(index), unread: index % 2 == 0) }
    state = AppState(
      options: InterfaceOptions(zone: Stage.utc), size: Size(columns: 150, rows: 40), now: ModelStore.start)
    _ = update(&state, .started)
    model = Self.marks(store)
    reload()
    tell()
  }

  private static func marks(_ store: ModelStore) -> [MessageID: Mark] {
    Dictionary(
      uniqueKeysWithValues: store.messages.map {
        ($0.id, Mark(isUnread: $0.isUnread, isStarred: $0.isStarred, isHidden: $0.isDismissed))
      })
  }

  /// Computes the content of the store after the pending acts are written.
  private mutating func believe() {
    var future = store
    for act in acts { future.perform(act.act) }
    model = Self.marks(future)
  }

  private mutating func reload() {
    readings.append(
      .inboxChanged(store.snapshot(state.shown.list.query, state.shown.list.window), including: written))
  }

  private mutating func tell() {
    guard !readings.isEmpty else { return }
    let reading = readings.removeFirst()
    if case .inboxChanged(_, let including) = reading, including < (acts.last?.id ?? written) {
      staleReadings += 1
    }
    take(reading)
  }

  private mutating func take(_ action: Action) {
    for effect in update(&state, action) {
      switch effect {
      case .journal(.perform(let act, let id)):
        acts.append((id, act))
        believe()
      case .load: reload()
      case .reader(.load(let id)):
        readings.append(.reader(.loaded(id, store.message(id), including: written)))
      default: break
      }
    }
  }

  mutating func step() {
    switch Int.random(in: 0..<10, using: &random) {
    case 0..<4:
      let key = ["u", "s", "d", "j", "k", "A", "enter", "h", "u", "s"].randomElement(using: &random) ?? "j"
      guard let press = KeyPress(parsing: key) else { return }
      // Waiting keys may move to another pane.
      if !state.waiting.isEmpty, key == "h" || key == "d" { return }
      if key == "h", state.focus.pane != .reader { return }
      // The list must not become empty.
      if key == "d", state.shown.list.rows.count < 4 { return }
      take(.input(.key(press)))
    case 4, 5: write()
    case 6: reload()
    default: tell()
    }
  }

  private mutating func write() {
    guard !acts.isEmpty else { return }
    let (id, act) = acts.removeFirst()
    if Int.random(in: 0..<5, using: &random) == 0 {
      refusals += 1
      believe()
      take(.journal(.refused(id, reason: "full")))
    } else {
      writes += 1
      store.perform(act)
      written = id
      take(.journal(.performed(id)))
      reload()
    }
  }

  mutating func finish() {
    while !acts.isEmpty || !readings.isEmpty { if acts.isEmpty { tell() } else { write() } }
    reload()
    while !readings.isEmpty { tell() }
  }

  func check(_ place: String) throws {
    let shown = Dictionary(
      uniqueKeysWithValues: state.shown.list.rows.map {
        ($0.id, Mark(isUnread: $0.isUnread, isStarred: $0.isStarred, isHidden: false))
      })
    let expected = model.filter { !$0.value.isHidden }
    let wrong = Set(shown.keys).union(expected.keys).filter { shown[$0] != expected[$0] }
    try #require(wrong.isEmpty, "\(place)")
    if let message = state.shown.reader.message, let mark = model[message.id] {
      if mark.isHidden { return }
      try #require(message.isUnread == mark.isUnread && message.isStarred == mark.isStarred, "\(place)")
    }
  }
}
