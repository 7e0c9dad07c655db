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
    for step in 0..<8000 {
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
    switch state.dialog.prompt {
    case .search?: places.insert("search")
    case .add?: places.insert("add")
    case .snooze?: places.insert("snooze")
    case .quiet?: places.insert("quiet")
    case .pipe?: places.insert("pipe")
    case .save?: places.insert("save")
    case .saveList?: places.insert("save list")
    case .filter?: places.insert("filter")
    case nil: break
    }
    return places
  }

  private func holds(_ state: AppState, after action: Action, seed: Int, step: Int) -> Bool {
    let list = state.shown.list
    let layout = state.layout
    let visible = layout.rows(of: .messages)
    var problems: [String] = []
    if list.rows.isEmpty ? list.selected != 0 : !list.rows.indices.contains(list.selected) {
      problems.append("selection \(list.selected) of \(list.rows.count)")
    }
    // While it is not on screen its place is kept.
    if list.top < 0 || layout.messages != nil && !(list.top..<list.top + visible).contains(list.selected) {
      problems.append("selection \(list.selected) out of sight: \(list.top)+\(visible)")
    }
    if let banner = state.shown.banner, let number = banner.control, banner.pressed?.number != number {
      problems.append("control \(number) of \(banner.layout.controls.count)")
    }
    let pairs = zip(list.rows, list.rows.dropFirst())
    if step % 10 == 0, pairs.contains(where: { !list.query.isBefore($0.key, $1.key) }) {
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
    if case .choices(let choices, let selected, _)? = state.dialog.overlay,
      !choices.indices.contains(selected)
    {
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
    // A form takes every key until it is left.
    if state.dialog.form != nil, Int.random(in: 0..<8, using: &random) == 0 {
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

  /// An answer to any open request, or sometimes to none.
  private var answer: Action {
    mutating get {
      guard !waiting.isEmpty else { return .ticked }
      let isInOrder = Int.random(in: 0..<4, using: &random) > 0
      let effect = waiting.remove(at: isInOrder ? 0 : Int.random(in: 0..<waiting.count, using: &random))
      switch effect {
      case .load(let query, let window):
        (self.query, self.window) = (query, window)
        return .inboxChanged(store.snapshot(query, window), including: written)
      case .loadMessage(let id): return .messageLoaded(id, store.message(id), including: written)
      case .findUnread(let query, let key, let forward, let request):
        return .unreadFound(request, store.nextUnread(query, from: key, forward: forward))
      case .findHits(let query): return .hitsFound(query, store.rows(query).map(\.key))
      case .perform(let act, let id):
        guard Int.random(in: 0..<5, using: &random) > 0 else { return .refused(id, reason: "full") }
        store.perform(act)
        written = max(written, id)
        return .performed(id)
      case .undo(let id):
        written = max(written, id)
        return .undone(id, store.undo())
      case .markSeen(let scope):
        store.markSeen(scope)
        return .inboxChanged(store.snapshot(query, window), including: written)
      case .findAddresses(let ids, let request):
        return .addressesFound(request, [ids.first ?? MessageID(1): "https://a.example"])
      case .snooze(let selection, let text, let act, let request):
        return .snoozed(
          act, selection, until: Bool.random(using: &random) ? ModelStore.start : nil, text: text, request)
      case .beQuiet(let text, let request):
        let isTime = Bool.random(using: &random)
        return isTime
          ? .quieted(request, until: text == "off" ? nil : ModelStore.start)
          : .quietRefused(request, text: text)
      case .addSource(let address, let request): return .addAnswered(request, addAnswer(address))
      case .drawPicture(let request):
        let picture = [StyledText(SafeText("▄", count: request.columns))]
        return .pictureAnswered(
          request, Bool.random(using: &random) ? .drawn(picture) : .failed(.undecodable))
      case .bannerLaidOut: return .bannerChanged(ViewPage(html: "<p id=a>changed</p>", base: nil))
      case .pressBanner:
        return .bannerAsked(
          address: Bool.random(using: &random) ? "https://a.example" : "x:y",
          afterPress: .random(using: &random))
      case .closeBanner: return .bannerClosed
      case .layOut(let request): return .laidOut(request.number, request.page())
      case .layOutView(let request): return .viewLaidOut(request.number, request.view())
      case .scheduleLook(let number): return .looked(number)
      case .scheduleWaitEnd(let wait): return .waitEnded(wait)
      case .scheduleSequenceEnd(let number): return .sequenceEnded(number)
      case .copy(let text, let request):
        return .copied(request, text, isSent: Int.random(in: 0..<8, using: &random) > 0)
      case .scheduleSlide: return .slid(steps: Int.random(in: -1...9, using: &random))
      case .pipe(_, _, let command):
        let end = Bool.random(using: &random) ? PipeEnd.failed(reason: "no") : .ended(status: 1, said: "x")
        return .piped(command: command, end)
      case .save(let given, let path, let replacing, let request):
        let answers: [SaveAnswer] = [.saved(path: path), replacing ? .failed(reason: "full") : .isThere]
        return .saved(request, given, answers[Bool.random(using: &random) ? 0 : 1])
      case .run, .showInPager, .showDemo: return .programFailed(program: "less", reason: "no")
      case .loadForm(let subject, let request):
        let fields = SourceFields.Field.allCases
        return .formLoaded(
          request, SourceFields(subject, entries: fields.map { .init(field: $0, stored: "x", usual: "y") }))
      case .removeSource(_, _, let id), .removeList(_, let id):
        guard Bool.random(using: &random) else { return .refused(id, reason: "no") }
        written = max(written, id)
        return .performed(id)
      case .saveList(let name, let query, let request):
        guard Bool.random(using: &random) else { return .listSaved(request, name: name, reason: "no") }
        let id = SavedListID(Int64(store.lists.count + 1))
        store.lists.append(SavedListStatus(id: id, list: SavedList(name: name, query: query), unread: 0))
        return .listSaved(request, name: name, reason: nil)
      case .saveForm(_, let request):
        return .formAnswered(
          request, reason: Bool.random(using: &random) ? nil : "no", at: .name)
      case .loadRuleOrigin(let id, let request):
        return .ruleOriginLoaded(
          request,
          store.message(id).map { RuleOrigin(message: $0, neighbours: [], counts: [:], takenNames: ["x"]) })
      case .tryRule(let request):
        var trial = RuleTrial()
        if Bool.random(using: &random) { trial.rest = nil }
        (trial.looked, trial.matched) = (9, Int.random(in: 0...9, using: &random))
        return .ruleTried(request.number, trial)
      case .saveRule(let draft, let request):
        return .ruleSaved(request, draft, reason: Bool.random(using: &random) ? nil : "no")
      case .applyRule(_, let id):
        written = max(written, id)
        return .performed(id)
      case .swapLists(_, _, let request): return .sourceChanged(request, nil, title: "x")
      case .changeSource(_, let change, let request):
        return Bool.random(using: &random)
          ? .sourceChanged(request, change, title: "x") : .settingsUnchanged(request, reason: "no")
      case _: return .ticked
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
      case 0: return .pollAttempted(attempt)
      case 1:
        return .timelineLoaded(
          Bool.random(using: &random) ? nil : source, Array(repeating: attempt, count: 300))
      case 2: return .refreshEnded(source, .failed(.redirectLoop(limit: 10)))
      case 3: return .refreshEnded(source, .new(count: 3))
      case 4:
        return .pollingChanged([source: SourcePolling(phase: Bool.random(using: &random) ? .polling : .idle)])
      case 5: return .unreadFound(RequestID(1), nil)
      case 6:
        let rows: Int? = Bool.random(using: &random) ? nil : Int.random(in: 0...50, using: &random)
        return .bannerRaised(
          BannerPlacement(source: "b", rows: rows, origin: Bool.random(using: &random) ? .top : .bottom))
      case 7:
        let html =
          "<h1 id=a>界</h1><a href='https://a.example'>x</a><button onclick='y()'>y</button><img src='https://a/p'>"
        return .bannerLoaded(ViewPage(html: html, base: nil))
      case 8: return .bannerFailed(.scriptStopped)
      default: return .failed(.storage(reason: "full"))
      }
    }
  }
}
