import Foundation
package import Messages

/// The list on screen: a window of its rows, the selected row and the first visible one.
///
/// The selection is a message, not an index: it stays on its message when others are added or removed, and moves to the
/// neighbour when its message is removed. If the target is outside the window, `landing` waits for the next window.
package struct MessageList: Hashable, Sendable {
  /// The initial number of rows on each side of the selection in a window.
  static let chunk = 200
  /// The maximum number of rows that one command can move, whatever number is typed before its key.
  static let longestJump = 5000
  /// The maximum number of read messages that stay in a list of unread ones (`held`).
  static let mostHeld = 500
  /// The maximum number of messages that are requested on each side of the selection if rows combine so many
  /// of them that they do not fill the screen.
  static let mostFolded = 2000

  package private(set) var query: InboxQuery
  /// The window that was requested last; snapshots must have this one.
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
  /// The times of the rows, which determine their columns. Stored here, since every frame needs them.
  private(set) var span: ClosedRange<Date>?
  /// Whether a message of the rows came from several sources.
  private(set) var hasCopies = false
  /// Whether the rows are of several feeds, applications or topics of services.
  private(set) var hasChannels = false
  /// The rows with one message each, before repeated messages are combined in one row.
  private(set) var loaded: [MessageRow] = []
  /// Whether consecutive messages with the same source and title are one row. Messages of one group always are.
  private var isFolding: Bool
  var news = News()
  /// Messages whose rows the user unfolded.
  private var unfolded: Set<MessageID> = []
  /// The rows as stored; `rows` has the user's later acts applied.
  private(set) var read: [MessageRow] = []
  /// The last act of the user that `read` certainly contains.
  private var including = ActID.none
  private(set) var hasMoreBefore = false
  private(set) var hasMoreAfter = false
  /// The number of messages in the list: the stored ones, and the read ones that stay in a list of unread
  /// messages. `nil` if the number is not stored.
  private(set) var count: Int?
  /// The times of the oldest and the newest message of the list that is not pinned above the others, if they
  /// may be outside the window.
  private(set) var times: ClosedRange<Int64>?
  /// Whether a snapshot of this list has arrived; until then the pane stays empty.
  package private(set) var isLoaded = false
  /// Whether the response for `window` has not arrived yet.
  private(set) var isWaiting = false
  /// The index of the selected row; 0 if there are no rows.
  package private(set) var selected = 0
  /// The index of the first row on screen.
  package private(set) var top = 0
  /// The last placement of the rows on the screen.
  private(set) var lines = MessageLines()
  /// The target of the selection when the rows of `window` arrive, or `nil` if the selection stays.
  private(set) var landing: Landing?
  /// The last message of the store when this list was requested.
  private(set) var newest = MessageID(0)
  /// The last message of the store when the list was last drawn; the user has not seen later ones.
  private(set) var newestDrawn = MessageID(0)
  package internal(set) var marks = Marks()
  /// Whether there was no input yet: the selection then stays at the start of the list while the first polls add
  /// messages.
  private var isUntouched = true
  /// Messages read here while only unread ones are shown: they stay in the list until it is left or loaded again, so
  /// that rows don't move while the user reads.
  private var held: [MessageRow] = []

  /// The first matches of the search, if there are more than the window contains.
  var found: [ListKey]?
  /// Whether the matches are to be counted, because the list has changed.
  var wantsHits = false
  /// The time back to which an unfinished search has examined messages.
  private(set) var lookedTo: Date?
  /// Whether keys no longer wait for the first match of an unfinished search.
  private var hasGivenUpHits = false

  init(query: InboxQuery, isFolding: Bool = false) {
    self.query = query
    self.isFolding = isFolding
  }

  package var selectedRow: MessageRow? { rows.indices.contains(selected) ? rows[selected] : nil }

  /// Whether the selection goes to rows that have not arrived yet, or to the first match of a search that has none yet.
  var isLanding: Bool { landing != nil || lookedTo != nil && rows.isEmpty && !hasGivenUpHits }

  /// Leaves the selection at its present row.
  mutating func giveUpLanding() {
    landing = nil
    hasGivenUpHits = true
  }

  /// Prevents the message to which the selection goes from being opened.
  mutating func opensNothing() {
    if case .message(let key, opens: true)? = landing { landing = .message(key, opens: false) }
  }

  /// Records that the list is on the screen.
  mutating func rememberDrawn() { newestDrawn = newest }

  /// Records that there was input.
  mutating func touch() { isUntouched = false }

  // MARK: Asking for rows

  /// Shows another list, from its start or around a message.
  mutating func show(_ query: InboxQuery, at key: ListKey? = nil) {
    if query.scope != self.query.scope || query.order != self.query.order {
      rows = []
      loaded = []
      read = []
      isLoaded = false
      (count, times) = (nil, nil)
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

  /// Requests the rows of a window.
  mutating func ask(for window: InboxWindow, _ landing: Landing?) {
    self.window = window
    self.landing = landing
    isWaiting = true
  }

  /// Requests more rows if the selection is near an edge of the window, and returns whether it did so.
  mutating func askNearEdge(margin: Int) -> Bool {
    guard !isWaiting, landing == nil, let row = selectedRow,
      hasMoreAfter && rows.count - 1 - selected < margin || hasMoreBefore && selected < margin
    else { return false }
    var anchor = row.key
    var reach = max(Self.chunk, margin * 2)
    // All requested rows around this one are folded into few: more fill the screen, within limits.
    if rows.count < loaded.count, case .key(let key) = window.anchor, row.standsFor(key.id) {
      anchor = key
      reach = 2 * max(window.before, window.after)
      guard reach <= Self.mostFolded else { return false }
    }
    ask(for: InboxWindow(anchor: .key(anchor), before: reach, after: reach), nil)
    return true
  }

  // MARK: Rows that arrived

  /// Shows the rows that the store returned, unless they are of another list or window.
  ///
  /// - Parameters:
  ///   - including: the last act that is certainly in the snapshot.
  ///   - acts: the acts; the later ones are applied to it.
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
    count = snapshot.count.map { $0 + heldBeyond(snapshot) }
    times = snapshot.times
    newest = snapshot.newest
    isLoaded = true
    isWaiting = false
    wantsHits = query.search != nil && (hasMoreBefore || hasMoreAfter)
    lookedTo = snapshot.lookedTo
    let landing = landing
    let opens = land()
    // Acts after the snapshot may add or remove rows. The next input is meant for the list with them.
    guard acts.entries.allSatisfy({ $0.id <= including }) else {
      self.landing = landing
      return .taken(opens: false)
    }
    return .taken(opens: opens)
  }

  /// Replaces the rows. The selection stays on its message, or moves to the one that follows it.
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

  /// Shows the rows as stored, with the user's pending acts applied.
  mutating func apply(_ acts: PendingActs) {
    let new = Self.applying(acts.differences(including: including), to: read)
    if new != loaded { replace(with: new) }
  }

  /// Moves the selection to its target in the rows that have arrived.
  ///
  /// - Returns: whether the target message is to be opened.
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
    case .pages(let pages, let key, let offset):
      var first = place(of: key, in: rows)
      for _ in 0..<abs(pages) { first = page(isBelow: pages > 0, first, in: lines) }
      scroll(to: first, offset: offset)
    }
    return false
  }

  /// Returns the rows of a snapshot, and the read messages that stay in a list of unread ones (`held`)
  /// although the snapshot no longer contains them.
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

  /// Returns the number of messages in `held` that a snapshot no longer contains.
  private func heldBeyond(_ snapshot: InboxSnapshot) -> Int {
    if held.isEmpty { return 0 }
    let known = Set(snapshot.rows.map(\.id))
    return held.count { !known.contains($0.id) }
  }

  // MARK: Repeats

  /// Sets whether consecutive messages with the same source and title are one row.
  mutating func fold(_ isFolding: Bool) {
    guard isFolding != self.isFolding else { return }
    self.isFolding = isFolding
    unfolded = []
    replace(with: loaded)
  }

  /// Shows the messages of the selected row in separate rows.
  ///
  /// - Returns: `false` if the selected row has only one message.
  @discardableResult
  mutating func unfoldSelected() -> Bool {
    guard let row = selectedRow, !row.members.isEmpty else { return false }
    unfolded.formUnion(row.members.map(\.id))
    replace(with: loaded)
    return true
  }

  private func folded(_ flat: [MessageRow]) -> [MessageRow] {
    // Each match of a search has a separate row, so that none is hidden behind another one.
    query.search == nil ? flat.folded(isFolding, except: unfolded) : flat
  }

  // MARK: Moving

  /// - Returns: `false` if no row has the message.
  mutating func select(_ id: MessageID) -> Bool {
    guard let index = rows.firstIndex(where: { $0.standsFor(id) }) else { return false }
    selected = index
    return true
  }

  mutating func select(_ index: Int) { selected = min(max(0, index), max(0, rows.count - 1)) }

  /// Moves the selection by a number of rows.
  ///
  /// - Returns: whether other rows must be loaded to get there.
  mutating func move(by steps: Int) -> Bool {
    guard !rows.isEmpty else { return false }
    let target = selected + min(max(steps, -Self.longestJump), Self.longestJump)
    let isBeyond = target < 0 && hasMoreBefore || target >= rows.count && hasMoreAfter
    guard isBeyond else {
      select(target)
      return false
    }
    askForRow(at: target, isForward: steps > 0)
    return true
  }

  /// Requests the rows around a position that is outside the present rows, or near their edge.
  ///
  /// - Parameters:
  ///   - target: the index that its row has, or would have.
  ///   - offset: the number of rows between the first row on screen and it; `nil` scrolls no more than necessary.
  ///   - landing: another target of the selection.
  private mutating func askForRow(
    at target: Int, isForward: Bool, offset: Int? = nil, landing: Landing? = nil
  ) {
    let reach = Self.chunk + abs(isForward ? target - rows.count + 1 : target)
    let edge = isForward ? rows.count - 1 : 0
    let key = rows[edge].key
    let end = (isForward ? rows[edge].all.last : rows[edge].all.first)?.key ?? key
    ask(
      for: InboxWindow(
        anchor: .key(end), before: isForward ? Self.chunk : reach, after: isForward ? reach : Self.chunk),
      landing ?? .steps(target - edge, from: key, offset: offset))
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
  mutating func scroll(by steps: Int) {
    top = min(max(0, top + steps), lastTop(in: lines))
    select(min(max(selected, top), top + count(from: top, in: lines) - 1))
  }

  /// Scrolls by pages: the selection keeps its distance from the first row, except at the ends of the list.
  ///
  /// - Returns: whether other rows must be loaded to get there.
  mutating func page(by pages: Int) -> Bool {
    guard !rows.isEmpty else { return false }
    let most = Self.longestJump / max(1, lines.capacity - 1)
    var pages = min(max(pages, -most), most)
    let offset = selected - top
    var first = top
    while pages != 0 {
      let next = page(isBelow: pages > 0, first, in: lines)
      if isBeyondRows(from: next) {
        // The days of the rows that are still to arrive are not known: the pages among them are counted then.
        let key = rows[min(max(0, first), rows.count - 1)].key
        askForRow(
          at: first + pages * lines.capacity + offset, isForward: pages > 0,
          landing: .pages(pages, from: key, offset: offset))
        return true
      }
      first = next
      pages -= pages.signum()
    }
    scroll(to: first, offset: offset)
    return false
  }

  /// Scrolls by half pages, like `page(by:)`.
  mutating func halfPage(by halves: Int) -> Bool {
    guard !rows.isEmpty else { return false }
    let (steps, isOver) = max(1, count(from: top, in: lines) / 2).multipliedReportingOverflow(by: halves)
    let step =
      isOver ? halves.signum() * Self.longestJump : min(max(steps, -Self.longestJump), Self.longestJump)
    let (first, offset) = (top + step, selected - top)
    if isBeyondRows(from: first) {
      askForRow(at: selected + step, isForward: step > 0, offset: offset)
      return true
    }
    scroll(to: first, offset: offset)
    return false
  }

  /// Whether a page that begins with a row has rows that are not loaded.
  private func isBeyondRows(from first: Int) -> Bool {
    first < 0 && hasMoreBefore || first + count(from: first, in: lines) > rows.count && hasMoreAfter
  }

  /// Makes a row the first one on the screen, and selects the row at an offset from it.
  private mutating func scroll(to first: Int, offset: Int) {
    top = min(max(0, first), lastTop(in: lines))
    select(min(first + offset, top + count(from: top, in: lines) - 1))
  }

  /// Keeps the selection visible, and the pane without a gap after the last row.
  ///
  /// - Parameter lines: the lines, or `nil` while the list is not on screen; its position is kept then.
  mutating func fit(_ lines: MessageLines?) {
    select(selected)
    guard let lines else { return }
    self.lines = lines
    top = min(max(0, top), lastTop(in: lines), selected)
    if selected >= top + count(from: top, in: lines) { top = first(upTo: selected, in: lines) }
  }

  // MARK: Acts that are not in the snapshot yet

  /// Returns the nearest unread row in one direction, except the selected one.
  func unreadIndex(forward: Bool) -> Int? {
    guard !rows.isEmpty else { return nil }
    return forward
      ? rows.indices.dropFirst(selected + 1).first { rows[$0].isUnread }
      : rows.indices.prefix(selected).last { rows[$0].isUnread }
  }

  /// Keeps a message in the list after it is read, while the list shows only unread ones.
  ///
  /// - Parameters:
  ///   - unread: whether the message becomes unread instead, so that it need not be kept.
  ///   - leaves: whether the list would no longer show it.
  mutating func hold(_ id: MessageID, unread: Bool, leaves: Bool) {
    held.removeAll { $0.id == id }
    guard leaves, !unread, var row = read.first(where: { $0.id == id }) else { return }
    row.isUnread = false
    held = held.suffix(Self.mostHeld - 1) + [row]
  }

  /// Removes a message that was dismissed or snoozed from the read messages that stay in a list of unread
  /// ones.
  mutating func release(_ id: MessageID) { held.removeAll { $0.id == id } }

  /// Shows rows that are not in the store: the welcome messages.
  mutating func show(own rows: [MessageRow], selecting id: MessageID?) {
    self.rows = rows
    loaded = rows
    read = rows
    select(rows.firstIndex { $0.id == id } ?? 0)
    isLoaded = true
  }
}
