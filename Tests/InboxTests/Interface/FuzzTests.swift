import Foundation
import Markup
import Messages
import Screen
import TestBasics
import Testing

@testable import Interface
@testable import Words

/// Random actions in any order, on a screen of any size, with answers that are late, out of order or lost.
struct FuzzTests {
  @Test(arguments: 0..<20)
  func nothingThatHappensBreaksTheScreen(seed: Int) {
    var monkey = Monkey(
      seed: UInt64(seed), store: seed % 5 == 0 ? .long(450) : seed % 7 == 1 ? ModelStore() : .sample)
    var visited: Set<String> = []
    for step in 0..<12_000 {
      let action = monkey.next()
      monkey.waiting += update(&monkey.state, action)
      // Quitting would end the test.
      monkey.state.isOver = false
      if monkey.waiting.count > 400 { monkey.waiting.removeFirst(200) }
      guard holds(monkey.state, after: action, seed: seed, step: step) else { return }
      if step % 25 == 0 {
        let frame = render(monkey.state, monkey.state.terminal.size)
        guard isWhole(frame, monkey.state.terminal.size) else {
          Issue.record("seed \(seed), step \(step): a broken frame")
          return
        }
      }
      visited.formUnion(Self.places(monkey.state))
    }
    // All states were reached.
    #expect(visited.isSuperset(of: ["sources", "messages", "timeline", "help", "search", "add", "banner"]))
    if !monkey.store.messages.isEmpty { #expect(visited.isSuperset(of: ["reader", "snooze"])) }
  }

  private static func places(_ state: AppState) -> Set<String> {
    var places: Set<String> = ["\(state.focus.pane)"]
    if case .help? = state.dialog.overlay { places.insert("help") }
    if case .problem? = state.dialog.overlay { places.insert("problem") }
    if state.dialog.form != nil { places.insert("form") }
    if state.shown.banner?.isFocused == true { places.insert("banner") }
    switch state.dialog.prompt?.subject {
    case .search?: places.insert("search")
    case .add?: places.insert("add")
    case .snooze?: places.insert("snooze")
    case .quiet?: places.insert("quiet")
    case .pipe?: places.insert("pipe")
    case .save?: places.insert("save")
    case .saveList?: places.insert("save list")
    case .filter?: places.insert("filter")
    case .find?: places.insert("find")
    case .command?: places.insert("command")
    case nil: break
    }
    return places
  }

  private func holds(_ state: AppState, after action: Action, seed: Int, step: Int) -> Bool {
    let list = state.shown.list
    let layout = state.layout
    let lines = state.messageLines(layout)
    let visible = list.visible(in: lines)
    var problems: [String] = []
    if list.rows.isEmpty ? list.selected != 0 : !list.rows.indices.contains(list.selected) {
      problems.append("selection \(list.selected) of \(list.rows.count)")
    }
    // While it is not on screen its place is kept.
    let seen = visible.compactMap { if case .row(let index) = $0.content { index } else { nil } }
    if list.top < 0 || list.rows.isEmpty && list.top != 0
      || layout.messages != nil && !list.rows.isEmpty && !seen.contains(list.selected)
    {
      problems.append("selection \(list.selected) out of sight: \(list.top), \(seen)")
    }
    if seen != Array(list.top..<list.top + seen.count) { problems.append("rows \(seen)") }
    // Days are named at the top and above their first rows, and nowhere else.
    var expected = 0
    for (index, row) in list.rows.enumerated().dropFirst(list.top).prefix(seen.count) {
      let day = lines.day(of: row)
      let isFirst = index == list.top || day != lines.day(of: list.rows[index - 1])
      if let day, isFirst {
        if visible.dropFirst(expected).first?.content != .day(day) {
          problems.append("no day above row \(index)")
        }
        expected += 1
      }
      if visible.dropFirst(expected).first?.content != .row(index) { problems.append("no row \(index)") }
      expected += 1
    }
    if zip(visible, visible.dropFirst()).contains(where: { $0.line >= $1.line }) {
      problems.append("lines \(visible)")
    }
    if let banner = state.shown.banner, let number = banner.control, banner.pressed?.number != number {
      problems.append("control \(number) of \(banner.layout.controls.count)")
    }
    let pairs = zip(list.rows, list.rows.dropFirst())
    // The rows of the welcome have no order.
    if step % 10 == 0, !state.isWelcome, pairs.contains(where: { !list.query.isBefore($0.key, $1.key) }) {
      problems.append("rows out of order")
    }
    if !(0..<max(1, state.shown.sources.count)).contains(state.shown.sources.cursor) {
      problems.append("source \(state.shown.sources.cursor)")
    }
    let top = state.shown.reader.top(visible: 1)
    if top < 0 || top > max(0, state.shown.reader.lines.count - 1) {
      problems.append("reader at \(state.shown.reader.scroll) of \(state.shown.reader.lines.count)")
    }
    if !state.terminal.size.isEmpty, state.dialog.overlay == nil, state.layout[state.focus.pane] == nil {
      problems.append("keys in \(state.focus.pane), which is not on screen")
    }
    if case .choices(let choices, let selected)? = state.dialog.overlay, !choices.indices.contains(selected) {
      problems.append("choice \(selected)")
    }
    if let editor = state.dialog.prompt?.editor, !(0...editor.text.count).contains(editor.cursor) {
      problems.append("cursor \(editor.cursor)")
    }
    for problem in problems { Issue.record("seed \(seed), step \(step), after \(action): \(problem)") }
    return problems.isEmpty
  }

  private func isWhole(_ frame: Frame, _ size: Size) -> Bool {
    guard frame.size == size, frame.cells.count == size.columns * size.rows else { return false }
    if let cursor = frame.cursor, !frame.bounds.contains(cursor) { return false }
    return (0..<size.rows).allSatisfy { row in
      frame.row(row).reduce(0) { $0 + Int($1.width) } == size.columns
    }
  }
}

/// Random keys, with a store that is slow and loses answers.
struct Monkey {
  var state: AppState
  var store: ModelStore
  var waiting: [Effect] = []
  private var random: SeededRandom
  private var query = InboxQuery()
  private var window = InboxWindow()
  private var written = ActID.none
  private let keys: [KeyPress]

  init(seed: UInt64, store: ModelStore) {
    random = SeededRandom(seed: seed)
    self.store = store
    let options = InterfaceOptions(
      signs: seed % 2 == 0 ? .unicode : .ascii, zone: Stage.utc, animations: seed % 3 == 0,
      notice: seed % 5 == 0 ? "demo" : nil)
    state = AppState(
      options: options, size: Size(columns: 80, rows: 24), now: ModelStore.start, timeline: seed % 5 == 0)
    func presses(of commands: [Command]) -> [KeyPress] {
      commands.flatMap { Keymap.standard.keys(of: $0) }.flatMap(\.all)
    }
    let known = presses(of: Command.allCases)
    let moving: [Command] = [
      .down, .up, .pageDown, .pageUp, .open, .back, .readOn, .nextUnread, .last, .first,
    ]
    var all = known + presses(of: moving) + presses(of: moving)
    all += ["1", "5", "9", "0", "é", "界", "x", ".", "z", "z", "z"].map { KeyPress(Character($0)) }
    all += [
      KeyPress(.backspace), KeyPress(.delete), KeyPress("u", .control), KeyPress("w", .control),
      KeyPress(.function(7)),
    ]
    keys = all
    waiting = update(&state, .started)
  }

  mutating func next() -> Action {
    // A form and the help take every key until they are left.
    if state.dialog.form != nil || state.isHelpOpen, Int.random(in: 0..<8, using: &random) == 0 {
      return .input(.key(KeyPress(.escape)))
    }
    // While keys wait, no other states are reached.
    if !state.waiting.isEmpty, Bool.random(using: &random) { return answer }
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<45: return .input(.key(keys.randomElement(using: &random) ?? KeyPress(.enter)))
    case 45..<53: return .input(.mouse(mouse))
    case 53..<57: return .input(.resize(size))
    case 57: return .input(.focus(Bool.random(using: &random)))
    case 58:
      return .input(
        .paste(["https://a.example/\u{1B}[31m", "words\nmore", "\u{7}"].randomElement(using: &random) ?? ""))
    case 59: return .timeChanged(ModelStore.start + Double.random(in: -1e9...1e9, using: &random))
    case 60..<90: return answer
    case 90..<94:
      change()
      return .inboxChanged(store.snapshot(query, window), including: written)
    default: return news
    }
  }

  private var size: Size {
    mutating get {
      let isSmall = Int.random(in: 0..<3, using: &random) == 0
      return Size(
        columns: Int.random(in: 0...(isSmall ? 12 : 180), using: &random),
        rows: Int.random(in: 0...(isSmall ? 5 : 50), using: &random))
    }
  }

  private var mouse: Mouse {
    mutating get {
      let kinds: [Mouse.Kind] = [.click, .doubleClick, .wheelUp, .wheelDown]
      return Mouse(
        kind: kinds.randomElement(using: &random) ?? .click,
        at: Point(
          column: Int.random(in: -1...180, using: &random), row: Int.random(in: -1...50, using: &random)))
    }
  }

  private mutating func change() {
    switch Int.random(in: 0..<4, using: &random) {
    case 0:
      store.add("New\u{202E} 界 \(store.messages.count)", age: Double.random(in: -9e4...1e6, using: &random))
    case 1 where !store.messages.isEmpty:
      store.messages.remove(at: Int.random(in: 0..<store.messages.count, using: &random))
    case 2 where !store.messages.isEmpty:
      let index = Int.random(in: 0..<store.messages.count, using: &random)
      store.messages[index].isUnread.toggle()
      store.messages[index].content.published = nil
    default:
      if store.sources.count < 6 {
        store.addSource("s\(store.sources.count)")
      } else {
        store.sources.removeLast()
      }
    }
  }

  /// A response to any open request, or sometimes to none.
  private var answer: Action {
    mutating get {
      guard !waiting.isEmpty else { return .polling(.ticked) }
      let isInOrder = Int.random(in: 0..<4, using: &random) > 0
      let effect = waiting.remove(at: isInOrder ? 0 : Int.random(in: 0..<waiting.count, using: &random))
      switch effect {
      case .load(let query, let window):
        (self.query, self.window) = (query, window)
        return .inboxChanged(store.snapshot(query, window), including: written)
      case .reader(.load(let id)): return .reader(.loaded(id, store.message(id), including: written))
      case .search(.findUnread(let query, let key, let forward, let request)):
        return .search(.unreadFound(request, store.nextUnread(query, from: key, forward: forward)))
      case .search(.findHits(let query)): return .search(.hitsFound(query, store.rows(query).map(\.key)))
      case .journal(.perform(let act, let id)):
        guard Int.random(in: 0..<5, using: &random) > 0 else { return .journal(.refused(id, reason: "full")) }
        store.perform(act)
        written = max(written, id)
        return .journal(.performed(id))
      case .journal(.undo(let id)):
        written = max(written, id)
        return .journal(.undone(id, store.undo()))
      case .markSeen(let scope):
        store.markSeen(scope)
        return .inboxChanged(store.snapshot(query, window), including: written)
      case .links(.findAddresses(let ids, let request)):
        return .links(.addressesFound(request, [ids.first ?? MessageID(1): "https://a.example"]))
      case .journal(.snooze(let selection, let text, let act, let request)):
        return .journal(
          .snoozed(
            act, selection, until: Bool.random(using: &random) ? ModelStore.start : nil, text: text, request))
      case .quiet(.set(let text, let request)):
        let isTime = Bool.random(using: &random)
        return isTime
          ? .quiet(.set(request, until: text == "off" ? nil : ModelStore.start))
          : .quiet(.refused(request, text: text))
      case .sources(.add(let address, let request)):
        return .sources(.addAnswered(request, addAnswer(address)))
      case .pictures(.draw(let request)):
        let picture = [StyledText(SafeText("▄", count: request.columns))]
        return .pictures(
          .answered(
            request, Bool.random(using: &random) ? .drawn(picture) : .failed(.undecodable)))
      case .banner(.resized): return .banner(.changed(ViewPage(html: "<p id=a>changed</p>", base: nil)))
      case .banner(.press):
        return .banner(
          .asked(
            address: Bool.random(using: &random) ? "https://a.example" : "x:y",
            afterPress: .random(using: &random)))
      case .banner(.close): return .banner(.closed)
      case .reader(.layOut(let request)): return .reader(.laidOut(request.number, request.page()))
      case .banner(.layOut(let request)): return .banner(.laidOut(request.number, request.view()))
      case .scheduleLook(let number): return .looked(number)
      case .keys(.scheduleWaitEnd(let wait)): return .keys(.waitEnded(wait))
      case .keys(.scheduleSequenceEnd(let number)): return .keys(.sequenceEnded(number))
      case .links(.copy(let text, let request)):
        return .links(.copied(request, text, isSent: Int.random(in: 0..<8, using: &random) > 0))
      case .banner(.scheduleSlide): return .banner(.slid(steps: Int.random(in: -1...9, using: &random)))
      case .programs(.pipe(_, _, let command)):
        let end = Bool.random(using: &random) ? PipeEnd.failed(reason: "no") : .ended(status: 1, said: "x")
        return .programs(.piped(command: command, end))
      case .programs(.save(let given, let path, let replacing, let request)):
        let answers: [SaveAnswer] = [.saved(path: path), replacing ? .failed(reason: "full") : .isThere]
        return .programs(.saved(request, given, answers[Bool.random(using: &random) ? 0 : 1]))
      case .programs(.run), .programs(.showInPager), .programs(.showDemo):
        return .programs(.failed(program: "less", reason: "no"))
      case .forms(.load(let subject, let request)):
        let fields = SourceFields.Field.allCases
        return .forms(
          .loaded(
            request, SourceFields(subject, entries: fields.map { .init(field: $0, stored: "x", usual: "y") }))
        )
      case .sources(.remove(_, _, let id)), .savedLists(.remove(_, let id)):
        guard Bool.random(using: &random) else { return .journal(.refused(id, reason: "no")) }
        written = max(written, id)
        return .journal(.performed(id))
      case .savedLists(.save(let name, let query, let request)):
        guard Bool.random(using: &random) else {
          return .savedLists(.saved(request, name: name, reason: "no"))
        }
        let id = SavedListID(Int64(store.lists.count + 1))
        store.lists.append(SavedListStatus(id: id, list: SavedList(name: name, query: query), unread: 0))
        return .savedLists(.saved(request, name: name, reason: nil))
      case .forms(.save(_, let request)):
        return .forms(
          .answered(
            request, reason: Bool.random(using: &random) ? nil : "no", at: .name))
      case .rules(.loadOrigin(let id, let request)):
        return .rules(
          .originLoaded(
            request,
            store.message(id).map { RuleOrigin(message: $0, neighbours: [], counts: [:], takenNames: ["x"]) })
        )
      case .rules(.startTrial(let request)):
        var trial = RuleTrial()
        if Bool.random(using: &random) { trial.rest = nil }
        (trial.looked, trial.matched) = (9, Int.random(in: 0...9, using: &random))
        return .rules(.tried(request.number, trial))
      case .rules(.save(let draft, let request)):
        return .rules(.saved(request, draft, reason: Bool.random(using: &random) ? nil : "no"))
      case .rules(.apply(_, let id)):
        written = max(written, id)
        return .journal(.performed(id))
      case .savedLists(.swap(_, _, let request)): return .sources(.changed(request, nil, title: "x"))
      case .sources(.change(_, let change, let request)):
        return Bool.random(using: &random)
          ? .sources(.changed(request, change, title: "x")) : .settings(.unchanged(request, reason: "no"))
      case _: return .polling(.ticked)
      }
    }
  }

  private mutating func addAnswer(_ address: String) -> AddAnswer {
    switch Int.random(in: 0..<4, using: &random) {
    case 0: .added(name: store.sources.first?.source.name ?? "none", title: address)
    case 1: .choices([FeedChoice(title: "A", url: "https://a.example"), FeedChoice(title: "", url: "界")])
    case 2: .failed(.notAFeed(found: "a picture", alternates: []))
    case _ where address.count % 8 == 1:
      .asks(
        SourceFields(
          .service(.github, name: "GitHub"),
          entries: [SourceFields.Entry(field: .tokenCommand, stored: "", usual: "", help: "a token")]))
    case _ where address.count % 2 == 0: .imported(added: 3, known: 1)
    default: .refused(reason: "read-only")
    }
  }

  private var news: Action {
    mutating get {
      let source = SourceID(Int64.random(in: 0...5, using: &random))
      let start = ModelStore.start - Double.random(in: 0...1e5, using: &random)
      let attempt = PollAttempt(
        source: source, trigger: .forced, start: start, end: start,
        result: Bool.random(using: &random) ? .started : .failed(.timedOut(.reading, seconds: .infinity)))
      switch Int.random(in: 0..<10, using: &random) {
      case 0: return .polling(.attempted(attempt))
      case 1:
        return .polling(
          .timelineLoaded(
            Bool.random(using: &random) ? nil : source, Array(repeating: attempt, count: 300)))
      case 2: return .polling(.refreshEnded(source, .failed(.redirectLoop(limit: 10))))
      case 3: return .polling(.refreshEnded(source, .new(count: 3)))
      case 4:
        return .polling(
          .changed([source: SourcePolling(phase: Bool.random(using: &random) ? .polling : .idle)]))
      case 5: return .search(.unreadFound(RequestID(1), nil))
      case 6:
        let rows: Int? = Bool.random(using: &random) ? nil : Int.random(in: 0...50, using: &random)
        return .banner(
          .raised(
            BannerPlacement(source: "b", rows: rows, origin: Bool.random(using: &random) ? .top : .bottom)))
      case 7:
        let html =
          "<h1 id=a>界</h1><a href='https://a.example'>x</a><button onclick='y()'>y</button><img src='https://a/p'>"
        return .banner(.loaded(ViewPage(html: html, base: nil)))
      case 8: return .banner(.failed(.scriptStopped))
      default: return .failed(.store(.storage(reason: "full")))
      }
    }
  }
}
