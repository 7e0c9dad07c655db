import Foundation
package import Messages

/// The list on screen: a window of its rows, the selected row and the first visible one.
///
/// The selection is a message, not an index: it stays on its message when others come or go, and moves to the
/// neighbour when its message is removed. Where the target is outside the window, `landing` waits for the next window.
package struct MessageList: Hashable, Sendable {
  /// Rows on each side of the selection that a window has at first.
  static let chunk = 200
  /// The most rows that a count can jump at once.
  static let longestJump = 5000
  static let mostHeld = 500
  /// How far a window grows where its rows are folded.
  static let mostFolded = 2000

  package private(set) var query: InboxQuery
  /// The window asked for last: snapshots must have this one.
  package private(set) var window = InboxWindow(anchor: .start, before: 0, after: chunk)
  package private(set) var rows: [MessageRow] = [] {
    didSet {
      let times = rows.lazy.map(\.time)
      span = times.min().flatMap { first in times.max().map { first...$0 } }
      hasCopies = rows.contains { !$0.otherSources.isEmpty }
      let channel = rows.lazy.compactMap(\.channel).first
      hasChannels = channel != nil && rows.contains { $0.channel.map { $0 != channel } ?? false }
    }
  }
  /// Of the rows; what their columns depend on. Kept here, since a frame asks for it.
  private(set) var span: ClosedRange<Date>?
  /// Whether several sources brought one of them.
  private(set) var hasCopies = false
  /// Whether they are of several feeds, applications or topics of services.
  private(set) var hasChannels = false
  /// The same before repeats are folded.
  private(set) var loaded: [MessageRow] = []
  /// Whether messages of one source with one title are one row, where they stand one below the other. Those of one
  /// group always are.
  private var isFolding: Bool
  var news = News()
  /// Messages whose rows the user unfolded.
  private var unfolded: Set<MessageID> = []
  /// The rows as read from the store; `rows` has the user's later acts applied.
  private(set) var read: [MessageRow] = []
  private var including = ActID.none
  private(set) var hasMoreBefore = false
  private(set) var hasMoreAfter = false
  /// Whether any snapshot of this list came yet; until then the pane stays empty.
  package private(set) var isLoaded = false
  /// Whether the answer for `window` has not come yet.
  private(set) var isWaiting = false
  /// Index of the selected row; 0 where there are none.
  package private(set) var selected = 0
  /// Index of the first row on screen.
  package private(set) var top = 0
  private(set) var landing: Landing?
  /// The last message of the store when it was asked for this list.
  private(set) var newest = MessageID(0)
  /// The same when the list was last drawn: what came later was seen by nobody.
  private(set) var newestDrawn = MessageID(0)
  package internal(set) var marks = Marks()
  /// True until the first input: the selection stays at the start of the list while the first polls
  /// bring messages.
  private var isUntouched = true
  /// Messages read here while only unread ones are shown: they stay in the list until it is left or loaded
  /// again, so that rows don't move while the user reads.
  private var held: [MessageRow] = []

  /// What the search has found, the first of it: where more was found than the window holds.
  var found: [ListKey]?
  /// Whether that is to be counted, because the list has changed.
  var wantsHits = false
  /// Of a search that isn't finished: how far it has looked.
  private(set) var lookedTo: Date?
  /// Whether the first hit of that search is not waited for any more.
  private var hasGivenUpHits = false

  init(query: InboxQuery, isFolding: Bool = false) {
    self.query = query
    self.isFolding = isFolding
  }

  package var selectedRow: MessageRow? { rows.indices.contains(selected) ? rows[selected] : nil }

  /// Whether the selection goes to rows that have not come yet, or to the first hit of a search that has none yet.
  var isLanding: Bool { landing != nil || lookedTo != nil && rows.isEmpty && !hasGivenUpHits }

  /// The selection stays where it is.
  mutating func giveUpLanding() {
    landing = nil
    hasGivenUpHits = true
  }

  /// The list is on the screen.
  mutating func rememberDrawn() { newestDrawn = newest }

  /// There was input.
  mutating func touch() { isUntouched = false }

  // MARK: Asking for rows

  /// Shows another list, from its start or around a message.
  mutating func show(_ query: InboxQuery, at key: ListKey? = nil) {
    if query.scope != self.query.scope || query.order != self.query.order {
      rows = []
      loaded = []
      read = []
      isLoaded = false
      (selected, top) = (0, 0)
    }
    if query != self.query { (found, wantsHits, lookedTo, hasGivenUpHits) = (nil, false, nil, false) }
    self.query = query
    held = []
    unfolded = []
    marks.clear()
    if let key {
      ask(
        for: InboxWindow(anchor: .key(key), before: Self.chunk, after: Self.chunk),
        .message(key, opens: false))
    } else {
      ask(for: InboxWindow(anchor: .start, before: 0, after: Self.chunk), .start)
    }
  }

  mutating func ask(for window: InboxWindow, _ landing: Landing?) {
    self.window = window
    self.landing = landing
    isWaiting = true
  }

  /// Asks for more rows when the selection comes near an edge of the window.
  mutating func askNearEdge(margin: Int) -> Bool {
    guard !isWaiting, landing == nil, let row = selectedRow,
      hasMoreAfter && rows.count - 1 - selected < margin || hasMoreBefore && selected < margin
    else { return false }
    var anchor = row.key
    var reach = max(Self.chunk, margin * 2)
    // All that was asked for around this row is folded into few: more fill the screen, within bounds.
    if rows.count < loaded.count, case .key(let key) = window.anchor, row.standsFor(key.id) {
      anchor = key
      reach = 2 * max(window.before, window.after)
      guard reach <= Self.mostFolded else { return false }
    }
    ask(for: InboxWindow(anchor: .key(anchor), before: reach, after: reach), nil)
    return true
  }

  // MARK: Rows that came

  /// - Parameters:
  ///   - including: the last act that is surely in the snapshot.
  ///   - acts: of these, the later ones are applied to it.
  mutating func apply(_ snapshot: InboxSnapshot, including: ActID, _ acts: PendingActs) -> Taken {
    guard snapshot.query == query, !isWaiting || snapshot.window == window else { return .ignored }
    let differences = acts.differences(including: including)
    let merged = merged(snapshot, differences, acts)
    let new = Self.applying(differences, to: merged)
    let old = selectedRow
    if landing == nil, let old, !new.contains(where: { $0.id == old.id }), isBeyond(old.key, new, snapshot),
      snapshot.window.anchor != .key(old.key)
    {
      ask(for: InboxWindow(anchor: .key(old.key), before: Self.chunk, after: Self.chunk), nil)
      return .misses
    }
    news.begin(with: snapshot)
    read = merged
    self.including = including
    replace(with: new)
    hasMoreBefore = snapshot.hasMoreBefore
    hasMoreAfter = snapshot.hasMoreAfter
    newest = snapshot.newest
    isLoaded = true
    isWaiting = false
    wantsHits = query.search != nil && (hasMoreBefore || hasMoreAfter)
    lookedTo = snapshot.lookedTo
    let landing = landing
    let opens = land()
    // Rows may come or go with acts that it was read before: what comes next is meant for the list with them.
    guard acts.entries.allSatisfy({ $0.id <= including }) else {
      self.landing = landing
      return .taken(opens: false)
    }
    return .taken(opens: opens)
  }

  /// The selection stays on its message, or goes to the one that follows it.
  private mutating func replace(with flat: [MessageRow]) {
    let new = folded(flat)
    let staysAtTop = top == 0 && !hasMoreBefore
    let stays = isUntouched && staysAtTop && selected == 0
    let kept = stays ? 0 : selectedRow.map { place(of: $0.key, in: new) } ?? 0
    top = staysAtTop ? 0 : max(0, top + kept - selected)
    selected = kept
    rows = new
    loaded = flat
  }

  /// Shows the user's acts, without those that the store refused.
  mutating func apply(_ acts: PendingActs) {
    let new = Self.applying(acts.differences(including: including), to: read)
    if new != loaded { replace(with: new) }
  }

  /// - Returns: whether the message landed on is to be opened.
  private mutating func land() -> Bool {
    defer { landing = nil }
    switch landing {
    case nil: return false
    case .start: (selected, top) = (0, 0)
    case .end: selected = max(0, rows.count - 1)
    case .message(let key, let opens):
      selected = place(of: key, in: rows)
      return opens && selectedRow?.standsFor(key.id) == true
    case .steps(let steps, let key, let offset):
      selected = min(max(0, place(of: key, in: rows) + steps), max(0, rows.count - 1))
      if let offset { top = max(0, selected - offset) }
    }
    return false
  }

  private mutating func merged(
    _ snapshot: InboxSnapshot, _ differences: [MessageID: PendingActs.Difference], _ acts: PendingActs
  ) -> [MessageRow] {
    guard !held.isEmpty else { return snapshot.rows }
    let known = Set(snapshot.rows.map(\.id))
    // A snapshot from before the read still contains it; later ones do not.
    held.removeAll { known.contains($0.id) && differences[$0.id]?.isUnread != false }
    held = Self.applying(acts.differences(including: .none, onlyWritten: true), to: held)
    var rows = snapshot.rows
    rows += held.filter { !known.contains($0.id) && !isBeyond($0.key, snapshot.rows, snapshot) }
    rows.sort { query.isBefore($0.key, $1.key) }
    return rows
  }

  // MARK: Repeats

  mutating func fold(_ isFolding: Bool) {
    guard isFolding != self.isFolding else { return }
    self.isFolding = isFolding
    unfolded = []
    replace(with: loaded)
  }

  /// - Returns: false where the selected row stands for one message only.
  @discardableResult
  mutating func unfoldSelected() -> Bool {
    guard let row = selectedRow, !row.members.isEmpty else { return false }
    unfolded.formUnion(row.members.map(\.id))
    replace(with: loaded)
    return true
  }

  private func folded(_ flat: [MessageRow]) -> [MessageRow] {
    // Each match of a search has its own row: none is hidden behind another one.
    query.search == nil ? flat.folded(isFolding, except: unfolded) : flat
  }

  // MARK: Moving

  /// - Returns: false where no row stands for the message.
  mutating func select(_ id: MessageID) -> Bool {
    guard let index = rows.firstIndex(where: { $0.standsFor(id) }) else { return false }
    selected = index
    return true
  }

  mutating func select(_ index: Int) { selected = min(max(0, index), max(0, rows.count - 1)) }

  /// - Returns: whether other rows must be loaded to get there.
  mutating func move(by steps: Int) -> Bool {
    guard !rows.isEmpty else { return false }
    let target = selected + min(max(steps, -Self.longestJump), Self.longestJump)
    let isBeyond = target < 0 && hasMoreBefore || target >= rows.count && hasMoreAfter
    guard isBeyond else {
      select(target)
      return false
    }
    askForRow(at: target, isForward: steps > 0, offset: nil)
    return true
  }

  /// Asks for the rows around a place that is outside of those that are there, or near their edge.
  ///
  /// - Parameters:
  ///   - target: the index that its row has, or would have.
  ///   - offset: how many rows below the first one on screen it is then; nil scrolls no more than necessary.
  private mutating func askForRow(at target: Int, isForward: Bool, offset: Int?) {
    let reach = Self.chunk + abs(isForward ? target - rows.count + 1 : target)
    let edge = isForward ? rows.count - 1 : 0
    let key = rows[edge].key
    let end = (isForward ? rows[edge].all.last : rows[edge].all.first)?.key ?? key
    ask(
      for: InboxWindow(
        anchor: .key(end), before: isForward ? Self.chunk : reach, after: isForward ? reach : Self.chunk),
      .steps(target - edge, from: key, offset: offset))
    select(target)
  }

  /// - Returns: whether other rows must be loaded to get there.
  mutating func moveToStart() -> Bool {
    select(0)
    guard hasMoreBefore else { return false }
    ask(for: InboxWindow(anchor: .start, before: 0, after: Self.chunk), .start)
    return true
  }

  /// - Returns: whether other rows must be loaded to get there.
  mutating func moveToEnd() -> Bool {
    select(rows.count - 1)
    guard hasMoreAfter else { return false }
    ask(for: InboxWindow(anchor: .end, before: Self.chunk, after: 1), .end)
    return true
  }

  /// Scrolls, and moves the selection only as far as needed to stay visible.
  mutating func scroll(by steps: Int, visible: Int) {
    top = min(max(0, top + steps), max(0, rows.count - visible))
    select(min(max(selected, top), top + visible - 1))
  }

  /// Scrolls and selects a page further: the selection keeps its row of the screen, except at the ends of the list.
  ///
  /// - Returns: whether other rows must be loaded to get there.
  mutating func page(by steps: Int, visible: Int) -> Bool {
    guard !rows.isEmpty else { return false }
    let steps = min(max(steps, -Self.longestJump), Self.longestJump)
    let (first, offset) = (top + steps, selected - top)
    if first < 0 && hasMoreBefore || first + visible > rows.count && hasMoreAfter {
      askForRow(at: selected + steps, isForward: steps > 0, offset: offset)
      return true
    }
    top = max(0, first)
    select(selected + steps)
    return false
  }

  /// Keeps the selection visible, and the pane without a gap after the last row.
  ///
  /// - Parameter visible: nil while it is not on screen: its place is kept.
  mutating func fit(visible: Int?) {
    select(selected)
    guard let visible else { return }
    top = min(max(0, top), max(0, rows.count - visible))
    top = min(max(top, selected - visible + 1), selected)
  }

  // MARK: Acts that are not in the snapshot yet

  /// The nearest unread row in one direction, without the selected one.
  func unreadIndex(forward: Bool) -> Int? {
    guard !rows.isEmpty else { return nil }
    return forward
      ? rows.indices.dropFirst(selected + 1).first { rows[$0].isUnread }
      : rows.indices.prefix(selected).last { rows[$0].isUnread }
  }

  /// A message that is read while only unread ones are shown stays in the list.
  ///
  /// - Parameter leaves: whether the list would not show it any more.
  mutating func hold(_ id: MessageID, unread: Bool, leaves: Bool) {
    held.removeAll { $0.id == id }
    guard leaves, !unread, var row = read.first(where: { $0.id == id }) else { return }
    row.isUnread = false
    held = held.suffix(Self.mostHeld - 1) + [row]
  }

  /// A message that was dismissed or snoozed does not stay.
  mutating func release(_ id: MessageID) { held.removeAll { $0.id == id } }

  /// Rows that are not in the store: the welcome.
  mutating func show(own rows: [MessageRow], selecting id: MessageID?) {
    self.rows = rows
    loaded = rows
    read = rows
    select(rows.firstIndex { $0.id == id } ?? 0)
    isLoaded = true
  }
}
