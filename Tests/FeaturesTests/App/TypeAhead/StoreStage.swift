import Basics
import Foundation
import Messages
import Queries
import Screen
import Storage

@testable import Interface
@testable import Profile

/// The inbox on a real store, one step at a time.
///
/// Effects wait in queues as in the program: acts are written one after another, reads are made one after another, and of
/// layouts only the last is wanted. The test says which queue goes on, and when.
final class StoreStage {
  enum Queue: String, CaseIterable {
    /// The next act is written; then its answer arrives.
    case write, written
    /// The store's report that it has changed.
    case change
    /// What takes the settings file or a banner's script.
    case other
    /// The next read is made; then its answer arrives.
    case read, answer
    case page, view
  }

  typealias Answer = () throws -> Void

  private(set) var state: AppState
  let store: Store
  var now: Date
  /// What left the inbox: links, programs, files.
  var sent: [Effect] = []
  private(set) var quits = 0
  /// The waits whose end was asked for.
  private(set) var waits: [Int] = []

  private let options: InterfaceOptions
  private var wanted = (query: InboxQuery(), window: InboxWindow())
  private var loads = 0
  private var written = ActID.none
  /// Immediate answers.
  private var immediate: [Action] = []
  var isChanged = false
  private var writes: [() throws -> Answer] = []
  private var writeAnswers: [Answer] = []
  private var reads: [() throws -> Answer] = []
  private var readAnswers: [Answer] = []
  var others: [Answer] = []
  private var page: PageRequest?
  private var view: ViewRequest?
  /// What servers and programs answer.
  private var outside: [Action] = []
  private var article: ArticleRequest?
  private var trial: RuleTrialRequest?
  private var isSliding = false
  private var look: Int?
  /// The time for a second key that was asked for last.
  private var sequence: Int?
  private var last: [Action] = []

  var sources: [ConfiguredSource]
  var lists: [SavedList]
  var rules = ["first", "second", "third"].map {
    RuleRow(name: $0, condition: "title:\($0)", actions: ["star"], hits: 3)
  }
  var edits: [Edit] = []

  init(_ sample: SampleStore, size: Size, options: InterfaceOptions) throws {
    (store, sources, lists, now) = (sample.store, sample.sources, sample.lists, SampleStore.start)
    self.options = options
    state = AppState(options: options, size: size, now: now)
    try happened(.started)
    try finish()
  }

  var frame: Frame { render(state, state.terminal.size) }
  /// The same without the sentence at the bottom: how long a warning is in sight depends on when it came.
  var frameWithoutSentence: Frame {
    var state = state
    state.statusLine = StatusLine()
    return render(state, state.terminal.size)
  }
  var lines: [String] { frame.lines() }

  /// The next start, after quitting.
  func restart() throws {
    try finish()
    (outside, article, look, isSliding) = ([], nil, nil, false)
    state = AppState(
      options: options, size: state.terminal.size, now: now,
      preferences: Preferences(try store.preferences.all())
    )
    written = .none
    try happened(.started)
    try finish()
  }

  // MARK: Going on

  func happened(_ action: Action) throws {
    last = last.suffix(20) + [action]
    for effect in update(&state, action, at: now) { try perform(effect) }
    while !immediate.isEmpty {
      for effect in update(&state, immediate.removeFirst()) { try perform(effect) }
    }
  }

  func press(_ names: String...) throws {
    for name in names {
      guard let key = KeyPress(parsing: name) else { throw BadKey(name: name) }
      try happened(.input(.key(key)))
    }
  }

  struct BadKey: Error { let name: String }

  func type(_ text: String) throws {
    for character in text { try happened(.input(.key(KeyPress(character)))) }
  }

  /// - Returns: false where nothing waits there.
  func advance(_ queue: Queue) throws -> Bool {
    func next<Job>(_ jobs: inout [Job]) -> Job? { jobs.isEmpty ? nil : jobs.removeFirst() }
    switch queue {
    case .write:
      guard let work = next(&writes) else { return false }
      writeAnswers.append(try work())
      isChanged = true
    case .written:
      guard let answer = next(&writeAnswers) else { return false }
      try answer()
    case .change:
      guard isChanged else { return false }
      isChanged = false
      reload()
    case .other:
      guard let answer = next(&others) else { return false }
      try answer()
    case .read:
      guard let work = next(&reads) else { return false }
      readAnswers.append(try work())
    case .answer:
      guard let answer = next(&readAnswers) else { return false }
      try answer()
    case .page:
      guard let request = page else { return false }
      page = nil
      try happened(.laidOut(request.number, request.page()))
    case .view:
      guard let request = view else { return false }
      view = nil
      try happened(.viewLaidOut(request.number, request.view()))
    }
    return true
  }

  var isIdle: Bool {
    writes.isEmpty && writeAnswers.isEmpty && !isChanged && others.isEmpty && reads.isEmpty
      && readAnswers.isEmpty && page == nil && view == nil
  }

  /// Goes on until nothing waits.
  func finish() throws {
    var rounds = 0
    while try Queue.allCases.contains(where: { try advance($0) }) {
      rounds += 1
      if rounds > 2000 { throw Endless(actions: last.suffix(12).map { String("\($0)".prefix(120)) }) }
    }
  }

  struct Endless: Error { let actions: [String] }

  /// The same with what servers, programs and time bring.
  func finishAll() throws {
    try finish()
    if let number = sequence {
      sequence = nil
      try happened(.sequenceEnded(number))
      try finish()
    }
    // Whoever rests this long begins something else.
    now += 1
    while let action = outside.first {
      outside.removeFirst()
      try happened(action)
      try finish()
    }
    if let request = article {
      article = nil
      try happened(.articleAnswered(request, answer(request)))
      try finish()
    }
    if isSliding {
      isSliding = false
      try happened(.slid(steps: 9))
      try finish()
    }
    if let number = look {
      look = nil
      try happened(.looked(number))
      try finish()
    }
  }

  /// Something is stored from outside.
  func changeStore(_ change: (Store) throws -> Void) throws {
    try change(store)
    isChanged = true
  }

  // MARK: Effects

  private func perform(_ effect: Effect) throws {
    switch effect {
    case .load(let query, let window):
      wanted = (query, window)
      reload()
    case .loadMessage(let id):
      let written = written
      read({ try $0.messages.find(id) }) { .messageLoaded(id, $0, including: written) }
    case .loadNames(let request): read({ try $0.search.names() }) { .namesLoaded(request, $0) }
    case .findUnread(let query, let key, let forward, let request):
      search(query, { try $0.lists.nextUnread(after: key, query: query, forward: forward) }) {
        .unreadFound(request, $0)
      }
    case .findHits(let query):
      search(query, { try $0.lists.hits(query, limit: InboxQuery.mostHits + 1) }) { .hitsFound(query, $0) }
    case .perform(let act, let id):
      let now = now
      write(id, { try $0.acts.perform(act, at: now) }) { .performed(id, changed: $0) }
    case .undo(let id):
      let now = now
      write(id, { [self] _ in try undo(at: now) }) {
        .undone(id, $0.map(UserAct.init), count: $0?.count ?? 0, left: $0?.left ?? 0)
      }
    case .redo(let id):
      let now = now
      write(id, { [self] _ in try redo(at: now) }) {
        .redone(id, $0.map(UserAct.init), count: $0?.count ?? 0, left: $0?.left ?? 0)
      }
    case .snooze(let selection, let text, let act, let request):
      let until = time(text)
      immediate.append(.snoozed(act, selection, until: until, text: text, request))
      guard let until else { return }
      let now = now
      write(act, { try $0.acts.perform(UserAct(.snooze, selection, until: until), at: now) }) {
        .performed(act, changed: $0)
      }
    case .beQuiet(let text, let request):
      let (until, now) = (time(text), now)
      guard text == "off" || until != nil else {
        return immediate.append(.quietRefused(request, text: text))
      }
      writes.append { [self] in
        if let until {
          try store.notices.setQuiet(until: until, at: now)
        } else {
          try store.notices.endQuiet(at: now)
        }
        return { [self] in try happened(.quieted(request, until: until)) }
      }
    case .markSeen(let scope):
      writes.append { [self] in
        try store.acts.markSeen(scope)
        return {}
      }
    case .remember(let name, let value):
      writes.append { [self] in
        try store.preferences.set(name, to: value)
        return {}
      }
    case .removeSource(let source, let title, let act):
      let now = now
      write(act, { [self] _ in try remove(source, called: title, at: now) }) { _ in .performed(act) }
    case .removeList(let name, let act):
      let now = now
      write(act, { [self] _ in try remove(listNamed: name, at: now) }) { _ in .performed(act) }
    case .removeRule(let name, let act):
      let now = now
      write(act, { [self] _ in try remove(ruleNamed: name, at: now) }) { _ in .performed(act) }
    case .applyRule(_, let id): write(id, { _ in 0 }) { .performed(id, changed: $0) }
    case .loadTimeline(let source):
      read({ try $0.polls.attempts(of: source, limit: 200) }) { .timelineLoaded(source, $0) }
    case .findAddresses(let ids, let request):
      read({ store in
        var addresses: [MessageID: String] = [:]
        for id in ids { addresses[id] = try store.messages.find(id)?.content.url }
        return addresses
      }) { .addressesFound(request, $0) }
    case .loadRuleOrigin(let id, let request):
      read({ store in
        try store.messages.find(id).map {
          let neighbours = try store.rules.neighbours(of: id, in: $0.source, limit: RuleOrigin.mostNeighbours)
          return RuleOrigin(
            message: $0, neighbours: neighbours,
            counts: try store.rules.counts(of: RuleOrigin.askedWords($0)), takenNames: ["noise"])
        }
      }) { .ruleOriginLoaded(request, $0) }
    case .tryRule(let request):
      trial = request
      goOn(RuleTrial(), of: request)
    case .stopRuleTrial: trial = nil
    case .findArticle(let request): find(request)
    case .layOut(let request): page = request
    case .layOutView(let request): view = request
    case .copy(let text, let request):
      sent.append(.copy(text, RequestID(0)))
      immediate.append(.copied(request, text, isSent: true))
    case .loadForm(let subject, let request): immediate.append(.formLoaded(request, form(subject)))
    case .scheduleSlide: isSliding = true
    case .scheduleLook(let number): look = number
    case .scheduleWaitEnd(let wait): waits.append(wait)
    case .scheduleSequenceEnd(let number): sequence = number
    case .quit: quits += 1
    case .saveForm, .saveRule, .changeSource, .swapLists, .saveList, .addSource, .giveUp, .loadRules,
      .switchRule, .editSettingsOfRule, .save, .closeBanner:
      performSlowly(effect)
    case .refreshNow(let asked):
      for source in try store.sources.statuses().map(\.source) where source.kind != .local {
        if asked?.contains(source.id) ?? true { outside.append(.refreshEnded(source.id, .nothingNew)) }
      }
    case .pipe(_, _, let command):
      sent.append(effect)
      outside.append(.piped(command: command, .ended(status: 0, said: nil)))
    case .performAction(let action, _):
      sent.append(effect)
      outside.append(.actionEnded(action, nil))
    case .goToPane, .openLink, .openEnclosure, .run, .showInPager, .showDemo, .editSettings,
      .editSettingsOfList, .pressBanner:
      sent.append(effect)
    // A poll, a picture or a tick changes nothing that keys mean.
    case .refresh, .drawPicture, .cancelPictures, .bannerLaidOut, .scheduleTick, .scheduleSecond, .redraw,
      .suspend:
      break
    }
  }

  /// Of several reads of the list only the last is shown.
  private func reload() {
    loads += 1
    let (load, wanted, written) = (loads, wanted, written)
    reads.append { [self] in
      // The program reads it for nobody.
      guard load == loads else { return {} }
      let snapshot = try store.lists.snapshot(wanted.query, wanted.window, inSlices: true)
      return { [self] in
        guard load == loads else { return }
        try happened(.inboxChanged(snapshot, including: written))
        if snapshot.lookedTo != nil, load == loads { reload() }
      }
    }
  }

  private func read<Value>(_ work: @escaping (Store) throws -> Value, then: @escaping (Value) -> Action) {
    reads.append { [self] in
      let value = try work(store)
      return { [self] in try happened(then(value)) }
    }
  }

  private func search<Found>(
    _ query: InboxQuery, _ slice: @escaping (Store) throws -> SearchPart<Found>,
    then: @escaping (Found) -> Action
  ) {
    reads.append { [self] in
      let part = try slice(store)
      return { [self] in
        if part.lookedTo == nil {
          try happened(then(part.found))
        } else if wanted.query == query {
          search(query, slice, then: then)
        }
      }
    }
  }

  private func write<Value>(
    _ id: ActID, _ work: @escaping (Store) throws -> Value, then: @escaping (Value) -> Action
  ) {
    writes.append { [self] in
      let value = try work(store)
      return { [self] in
        written = id
        try happened(then(value))
        reload()
      }
    }
  }

  private func goOn(_ earlier: RuleTrial, of request: RuleTrialRequest) {
    let now = now
    reads.append { [self] in
      guard trial == request else { return {} }
      let trial = try store.rules.goOn(
        with: earlier, of: request.condition, since: now - 30 * 86_400, now: now, zone: .gmt)
      return { [self] in
        guard self.trial == request else { return }
        try happened(.ruleTried(request.number, trial))
        if trial.rest != nil { goOn(trial, of: request) }
      }
    }
  }

  private func find(_ request: ArticleRequest) {
    reads.append { [self] in
      { [self] in
        guard request.mayFetch else { return try happened(.articleAnswered(request, .notStored)) }
        try happened(.articleRequested(request.number))
        if let earlier = article {
          try happened(.articleAnswered(earlier, .failed(.fetch(.cancelled, host: "a.example"), kept: nil)))
        }
        article = request
      }
    }
  }

  private func answer(_ request: ArticleRequest) -> ArticleAnswer {
    if request.message.rawValue % 3 == 0 { return .failed(.noText(host: "a.example"), kept: nil) }
    let text = "<p>Article \(request.message.rawValue)</p><p><a href='https://b.example'>b</a></p>"
    return .found(Article(title: nil, html: text, address: request.address, fetched: now))
  }
}
