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
/// Effects wait in queues as in the program: acts are written one after another, reads are made one after another, and
/// only the last of several layouts is wanted. The test determines which queue continues, and when.
final class StoreStage {
  enum Queue: String, CaseIterable {
    /// The next act is written; then its answer arrives.
    case write, written
    /// The store's report that it has changed.
    case change
    /// Effects that use the settings file or a banner's script.
    case other
    /// The next read is made, and then its response arrives.
    case read, answer
    case page, view
  }

  typealias Answer = () throws -> Void

  private(set) var state: AppState
  let store: Store
  var now: Date
  /// The effects that left the inbox: links, programs, files.
  var sent: [Effect] = []
  private(set) var quits = 0
  /// The waits whose end was requested.
  private(set) var waits: [Int] = []

  private let options: InterfaceOptions
  private var wanted = (query: InboxQuery(), window: InboxWindow())
  private var loads = 0
  private var written = ActID.none
  /// Immediate answers.
  var immediate: [Action] = []
  var isChanged = false
  private var writes: [() throws -> Answer] = []
  private var writeAnswers: [Answer] = []
  private var reads: [() throws -> Answer] = []
  private var readAnswers: [Answer] = []
  var others: [Answer] = []
  private var page: PageRequest?
  private var view: ViewRequest?
  /// The responses of servers and programs.
  private var outside: [Action] = []
  private var article: ArticleRequest?
  private var trial: RuleTrialRequest?
  private var isSliding = false
  private var look: Int?
  /// The last requested wait for a second key.
  private var sequence: Int?
  private var last: [Action] = []
  /// The first act of the step that an act belongs to, and the steps by their first acts.
  private var joined: [ActID: ActID] = [:]
  private var steps: [ActID: JournalStep] = [:]

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
  /// The frame without the sentence at the bottom: the time for which a warning is visible depends on its arrival.
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
      preferences: Preferences(try store.preferences.all(), lists: try store.preferences.lists())
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

  /// - Returns: `false` if nothing waits there.
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
      try happened(.reader(.laidOut(request.number, request.page())))
    case .view:
      guard let request = view else { return false }
      view = nil
      try happened(.banner(.laidOut(request.number, request.view())))
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

  /// Finishes everything, including the responses of servers and programs, and the time.
  func finishAll() throws {
    try finish()
    if let number = sequence {
      sequence = nil
      try happened(.keys(.sequenceEnded(number)))
      try finish()
    }
    // A user who pauses this long begins another task.
    now += 1
    while let action = outside.first {
      outside.removeFirst()
      try happened(action)
      try finish()
    }
    if let request = article {
      article = nil
      try happened(.articles(.answered(request, answer(request))))
      try finish()
    }
    if isSliding {
      isSliding = false
      try happened(.banner(.slid(steps: 9)))
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
    case .rememberList(let list, let state):
      writes.append { [self] in
        try store.preferences.set(list, to: state)
        return {}
      }
    case .scheduleLook(let number): look = number
    case .quit: quits += 1
    case .giveUp, .redraw, .suspend: break
    case .articles(.find(let request)): find(request)
    case .banner(let effect): perform(effect)
    case .forms(let effect): perform(effect)
    case .journal(let effect): perform(effect)
    case .keys(.scheduleWaitEnd(let wait)): waits.append(wait)
    case .keys(.scheduleSequenceEnd(let number)): sequence = number
    case .links(let effect): perform(effect)
    case .offers: break
    // There are no questions of programs here.
    case .questions: break
    // A picture changes nothing that keys mean.
    case .pictures: break
    case .polling(let effect): try perform(effect)
    case .programs(let effect): perform(effect)
    case .quiet(let effect): perform(effect)
    case .reader(.load(let id)):
      let written = written
      read({ try $0.messages.find(id) }) { .reader(.loaded(id, $0, including: written)) }
    case .reader(.layOut(let request)): page = request
    case .rules(let effect): perform(effect)
    case .savedLists(let effect): perform(effect)
    case .search(let effect): perform(effect)
    case .sources(let effect): perform(effect)
    }
  }

  private func perform(_ effect: SearchEffect) {
    switch effect {
    case .loadNames(let request): read({ try $0.search.names() }) { .search(.namesLoaded(request, $0)) }
    case .findUnread(let query, let key, let forward, let request):
      search(query, { try $0.lists.nextUnread(after: key, query: query, forward: forward) }) {
        .search(.unreadFound(request, $0))
      }
    case .findHits(let query):
      search(query, { try $0.lists.hits(query, limit: InboxQuery.mostHits + 1) }) {
        .search(.hitsFound(query, $0))
      }
    }
  }

  private func perform(_ effect: JournalEffect) {
    switch effect {
    case .perform(let act, let id):
      let now = now
      write(id, { [self] in try perform(act, id, in: $0, at: now) }) { .journal(.performed(id, changed: $0)) }
    case .join(let id, let first): joined[id] = first
    case .undo(let id):
      let now = now
      write(id, { [self] _ in try undo(at: now) }) {
        .journal(.undone(id, $0.map(UserAct.init), count: $0?.count ?? 0, left: $0?.left ?? 0))
      }
    case .redo(let id):
      let now = now
      write(id, { [self] _ in try redo(at: now) }) {
        .journal(.redone(id, $0.map(UserAct.init), count: $0?.count ?? 0, left: $0?.left ?? 0))
      }
    case .snooze(let selection, let text, let act, let request):
      let until = time(text)
      immediate.append(.journal(.snoozed(act, selection, until: until, text: text, request)))
      guard let until else { return }
      let now = now
      write(act, { [self] in try perform(UserAct(.snooze, selection, until: until), act, in: $0, at: now) }) {
        .journal(.performed(act, changed: $0))
      }
    }
  }

  private func perform(_ act: UserAct, _ id: ActID, in store: Store, at now: Date) throws -> Int {
    let first = joined[id] ?? id
    let done = try store.acts.perform(act, joining: joined[id] == nil ? nil : steps[first], at: now)
    steps[first] = done.step ?? steps[first]
    return done.changed
  }

  private func perform(_ effect: QuietEffect) {
    switch effect {
    case .set(let text, let request):
      let (until, now) = (time(text), now)
      guard text == "off" || until != nil else {
        return immediate.append(.quiet(.refused(request, text: text)))
      }
      writes.append { [self] in
        if let until {
          try store.notices.setQuiet(until: until, at: now)
        } else {
          try store.notices.endQuiet(at: now)
        }
        return { [self] in try happened(.quiet(.set(request, until: until))) }
      }
    }
  }

  private func perform(_ effect: PollingEffect) throws {
    switch effect {
    case .loadTimeline(let source):
      read({ try $0.polls.attempts(of: source, limit: 200) }) { .polling(.timelineLoaded(source, $0)) }
    case .refreshNow(let asked):
      for source in try store.sources.statuses().map(\.source) where source.kind != .local {
        if asked?.contains(source.id) ?? true {
          outside.append(.polling(.refreshEnded(source.id, .nothingNew)))
        }
      }
    // A poll or a tick changes nothing that keys mean.
    case .refresh, .scheduleTick, .scheduleSecond: break
    }
  }

  private func perform(_ effect: LinkEffect) {
    switch effect {
    case .findAddresses(let ids, let request):
      read({ store in
        var addresses: [MessageID: String] = [:]
        for id in ids { addresses[id] = try store.messages.find(id)?.content.url }
        return addresses
      }) { .links(.addressesFound(request, $0)) }
    case .copy(let text, let request):
      sent.append(.links(.copy(text, RequestID(0))))
      immediate.append(.links(.copied(request, text, isSent: true)))
    case .perform(let action, _):
      sent.append(.links(effect))
      outside.append(.links(.actionEnded(action, nil)))
    case .goToPane, .open, .openEnclosure: sent.append(.links(effect))
    }
  }

  private func perform(_ effect: ProgramEffect) {
    switch effect {
    case .pipe(_, _, let command):
      sent.append(.programs(effect))
      outside.append(.programs(.piped(command: command, .ended(status: 0, said: nil))))
    case .save(let given, let path, let replacing, let request):
      sent.append(.programs(.save(given, path: path, replacing: replacing, RequestID(0))))
      others.append { [self] in
        let isThere = path.count % 2 == 0 && !replacing
        try happened(.programs(.saved(request, given, isThere ? .isThere : .saved(path: path))))
      }
    case .run, .showInPager, .showDemo: sent.append(.programs(effect))
    }
  }

  private func perform(_ effect: BannerEffect) {
    switch effect {
    case .layOut(let request): view = request
    case .scheduleSlide: isSliding = true
    case .press: sent.append(.banner(effect))
    case .close: others.append { [self] in try happened(.banner(.closed)) }
    case .resized: break
    }
  }

  /// Reads the list. If there are several reads, only the last is shown.
  private func reload() {
    loads += 1
    let (load, wanted, written) = (loads, wanted, written)
    reads.append { [self] in
      // The result of this read is not shown.
      guard load == loads else { return {} }
      let snapshot = try store.lists.snapshot(wanted.query, wanted.window, inSlices: true)
      return { [self] in
        guard load == loads else { return }
        try happened(.inboxChanged(snapshot, including: written))
        if snapshot.lookedTo != nil, load == loads { reload() }
      }
    }
  }

  func read<Value>(_ work: @escaping (Store) throws -> Value, then: @escaping (Value) -> Action) {
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

  func write<Value>(
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

  func startTrial(_ request: RuleTrialRequest?) {
    trial = request
    if let request { goOn(RuleTrial(), of: request) }
  }

  private func goOn(_ earlier: RuleTrial, of request: RuleTrialRequest) {
    let now = now
    reads.append { [self] in
      guard trial == request else { return {} }
      let trial = try store.rules.goOn(
        with: earlier, of: request.condition, since: now - 30 * 86_400, now: now, zone: .gmt)
      return { [self] in
        guard self.trial == request else { return }
        try happened(.rules(.tried(request.number, trial)))
        if trial.rest != nil { goOn(trial, of: request) }
      }
    }
  }

  private func find(_ request: ArticleRequest) {
    reads.append { [self] in
      { [self] in
        guard request.mayFetch else { return try happened(.articles(.answered(request, .notStored))) }
        try happened(.articles(.requested(request.number)))
        if let earlier = article {
          try happened(
            .articles(.answered(earlier, .failed(.fetch(.cancelled, host: "a.example"), kept: nil))))
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
