import Foundation
import Messages
import Screen
import Words

extension Drawing {
  /// Draws the header: the name of the list or of the message at the left, the state of polls and the
  /// position at the right.
  mutating func drawHeader() {
    let area = layout.header
    guard !area.isEmpty else { return }
    let dot = StyledText(" ") + StyledText(isUnseen ? signs.dot + " " : "  ", style: Palette.dot)
    let line = HeaderLine(
      name: isReading ? nameOfMessage : nameOfList,
      parts: (isReading ? [] : partsOfList) + states + pollStatus + places,
      between: StyledText(signs.between, style: Palette.quiet))
    let (left, right) = line.fitted(to: area.size.columns - dot.columns)
    frame.write(
      (dot + left).truncated(to: area.size.columns, ellipsis: signs.ellipsis), at: area.origin, in: area)
    let column = area.columns.upperBound - right.columns - 1
    frame.write(right, at: Point(column: column, row: area.origin.row), in: area)
  }

  /// Whether a message is being read. The header then has its title, which scrolls away above its text.
  private var isReading: Bool {
    state.focus.inner == .reader && layout.reader != nil && state.shown.reader.message != nil
  }

  private func part(_ text: SafeText, _ style: Style, _ importance: HeaderLine.Importance) -> HeaderLine.Part
  {
    HeaderLine.Part(StyledText(text, style: style), importance)
  }

  // MARK: Where one is

  /// Whether the list contains messages that the user has not seen yet.
  private var isUnseen: Bool {
    switch state.shown.list.query.scope {
    case .all: state.counts.isUnseen
    case .starred, .snoozed, .dismissed, .hidden, .waiting: false
    case .list(let id): state.shown.sources.list(id)?.isUnseen == true
    case .folder(let folder): state.shown.sources.tree.sums[folder]?.isUnseen == true
    case .source(let id): state.shown.sources.status(id)?.isUnseen == true
    }
  }

  private var nameOfList: HeaderLine.Name {
    let name: SafeText =
      switch state.shown.list.query.scope {
      case .all: words(.all)
      case .starred: signs.before(words(.starred), signs.star)
      case .snoozed: words(.snoozedList)
      case .dismissed: words(.dismissedList)
      case .hidden: words(.hiddenList)
      case .waiting: words(.waitingList)
      case .list(let id): state.shown.sources.title(of: id)
      case .folder(let folder): state.shown.sources.title(of: folder)
      case .source(let id): state.shown.sources.titles[id] ?? .empty
      }
    return HeaderLine.Name(columns: name.columns) { [signs] columns in
      StyledText(name.truncated(to: columns, ellipsis: signs.ellipsis), style: Palette.heading)
    }
  }

  /// The source and the title of the message. If both are long, the title keeps more columns.
  private var nameOfMessage: HeaderLine.Name {
    guard let message = state.shown.reader.message else { return nameOfList }
    let room = layout.header.size.columns
    let title = SafeText(beginningOf: message.content.title, columns: room) ?? words(.untitled)
    let source = state.title(of: message.source, and: message.otherSources)
    let whole = source.isEmpty ? title.columns : source.columns + signs.within.columns + title.columns
    return HeaderLine.Name(columns: whole) { [signs] columns in
      let left = columns - signs.within.columns - title.columns
      let most = left >= Self.leastOfSource ? left : columns / 3
      let place = source.truncated(to: max(0, most), ellipsis: signs.ellipsis)
      guard !place.isEmpty, most >= min(source.columns, Self.leastOfSource) else {
        return StyledText(title.truncated(to: columns, ellipsis: signs.ellipsis), style: Palette.heading)
      }
      let rest = columns - place.columns - signs.within.columns
      return StyledText(place) + StyledText(signs.within, style: Palette.quiet)
        + StyledText(title.truncated(to: max(0, rest), ellipsis: signs.ellipsis), style: Palette.heading)
    }
  }

  /// The minimum number of columns of a source's name before a title, for it to be recognisable.
  private static let leastOfSource = 6

  // MARK: What is shown

  private var partsOfList: [HeaderLine.Part] {
    var parts: [HeaderLine.Part] = []
    let query = state.shown.list.query
    if query.isUnreadOnly { parts.append(part(words(.unreadOnly), Palette.accent, .unreadOnly)) }
    if let unread, unread > 0 {
      parts.append(
        HeaderLine.Part([
          (StyledText(words.count(.unread, unread)), .wholeCount), (StyledText("\(unread)"), .unread),
        ]))
    }
    if let order { parts.append(order) }
    if query.scope == .hidden {
      for hidden in state.counts.hidden.prefix(3) {
        let rule = SafeText(untrusted: hidden.rule)
        parts.append(part(words.count(.hiddenBy, hidden.count, rule), Palette.quiet, .explanation))
      }
    }
    if case .source(let id) = query.scope,
      state.shown.sources.status(id)?.source.settings.verifiesCertificates == false
    {
      parts.append(part(words(.notVerified), Palette.warning, .warning))
    }
    if let search = query.search {
      let text = words(.searching, SafeText(untrusted: search.trimmingCharacters(in: .whitespaces)))
      let short = text.truncated(to: Self.leastOfSearch, ellipsis: signs.ellipsis)
      parts.append(
        HeaderLine.Part([
          (StyledText(text, style: Palette.accent), .wholeSearch),
          (StyledText(short, style: Palette.accent), .search),
        ]))
    }
    if let lookedBack { parts.append(part(lookedBack, Palette.quiet, .explanation)) }
    if !state.shown.list.marks.isEmpty {
      let selection = state.shown.list.marked().selection
      let count = "\(selection.ids.count)" + (selection.parts.isEmpty ? "" : "+")
      parts.append(part(words(.marked, SafeText(untrusted: count)), Palette.accent, .marked))
    }
    return parts
  }

  /// The maximum number of columns of a search in its short form.
  private static let leastOfSearch = 20

  private var unread: Int? {
    switch state.shown.list.query.scope {
    case .all: state.counts.unread
    case .starred, .snoozed, .dismissed, .hidden, .waiting: nil
    case .list(let id): state.shown.sources.list(id)?.unread
    case .folder(let folder): state.shown.sources.tree.sums[folder]?.unread
    case .source(let id): state.shown.sources.status(id)?.unread
    }
  }

  /// The order in which the list is sorted. Not every list can be sorted by source or priority.
  private var order: HeaderLine.Part? {
    let query = state.shown.list.query
    if state.isWelcome || state.shown.list.isLoaded && state.shown.list.rows.isEmpty { return nil }
    let order: ListOrder =
      switch query.order {
      case .newest, .oldest: query.order
      case .source: query.scope == .all && query.search == nil ? .source : .newest
      case .priority: state.hasPriorityOrder ? .priority : .newest
      }
    // These lists are sorted by the time of the action.
    if order == .newest, query.scope.isOutOfInbox { return nil }
    let isKnown = order == state.options.layout.order
    return part(
      words.name(order), isKnown ? Palette.quiet : Palette.accent, isKnown ? .knownOrder : .order)
  }

  /// The states that concern all lists: the quiet time, and changes that were not sent to other machines.
  private var states: [HeaderLine.Part] {
    var parts: [HeaderLine.Part] = []
    switch state.quiet {
    case .until(let end)?:
      let time = words.instant(end, from: state.now, in: state.options.zone, seconds: false)
      parts.append(part(words(.quietNow, time), Palette.accent, .quiet))
    case .always?: parts.append(part(words(.quietAlways), Palette.accent, .quiet))
    case nil: break
    }
    if let unsent = state.unsent {
      let time = words.instant(unsent.since, from: state.now, in: state.options.zone, seconds: false)
      parts.append(part(words.count(.actsNotSent, unsent.count, time), Palette.warning, .warning))
    }
    return parts
  }

  // MARK: Polls

  /// The running polls, or the failure. The times of polls are on the page of polls.
  private var pollStatus: [HeaderLine.Part] {
    switch state.shown.list.query.scope {
    case .source(let id): state.shown.sources.status(id).flatMap(status).map { [$0] } ?? []
    case .all, .starred, .snoozed, .dismissed, .hidden, .waiting, .folder, .list:
      statusOfAll.map { [$0] } ?? []
    }
  }

  private func status(of status: SourceStatus) -> HeaderLine.Part? {
    if !status.source.kind.row.isPolled { return explained(words.whoFills(status.source)) }
    switch state.polling[status.source.id]?.phase {
    case .polling?: return busy(words(.polling))
    case .queued?: return explained(words(.queued))
    case .idle?, nil: break
    }
    if status.source.settings.isPaused { return explained(words(.shortPaused)) }
    if status.state.isGone { return failed(words(.shortGone)) }
    if let failure = status.state.lastFailure { return failed(words.brief(failure)) }
    if let firstPoll { return firstPoll }
    return status.state.lastAttemptEnd == nil ? explained(words(.neverPolled)) : nil
  }

  private var statusOfAll: HeaderLine.Part? {
    let polls = state.polls
    guard polls.count > 0 else { return nil }
    if polls.isPolling {
      return busy(
        polls.round > 1 ? words(.pollingOf, "\(polls.begun)", "\(polls.round)") : words(.polling))
    }
    if polls.failed > 0 { return failed(words.count(.sourcesFailed, polls.failed)) }
    if let firstPoll { return firstPoll }
    return polls.last == nil ? explained(words(.neverPolled)) : nil
  }

  private var firstPoll: HeaderLine.Part? {
    state.secondsToFirstPoll.map { explained(words(.firstPoll, "\($0)")) }
  }

  private func explained(_ text: SafeText) -> HeaderLine.Part {
    HeaderLine.Part(StyledText(text, style: Palette.quiet), .explanation, isRight: true)
  }

  private func failed(_ text: SafeText) -> HeaderLine.Part {
    HeaderLine.Part(
      [
        (StyledText(signs.failed + " " + text, style: Palette.failure), .wholeStatus),
        (StyledText(signs.failed, style: Palette.failure), .status),
      ], isRight: true)
  }

  private func busy(_ text: SafeText) -> HeaderLine.Part {
    HeaderLine.Part(
      [
        (StyledText(signs.before(text, spinner), style: Palette.accent), .wholeStatus),
        (StyledText(spinner, style: Palette.accent), .status),
      ], isRight: true)
  }

  // MARK: Places

  /// The position in the text or in the list.
  private var places: [HeaderLine.Part] {
    if isReading {
      let position = readerPosition
      guard !position.isEmpty else { return [] }
      return [HeaderLine.Part(StyledText(position, style: Palette.quiet), .reading, isRight: true)]
    }
    // The bottom line counts the matches of a search.
    guard !state.isWelcome, let position = state.shown.list.position else { return [] }
    let forms: [SafeText] =
      switch position {
      case .of(let place, let count): [words(.hitOf, "\(place)", "\(count)"), "\(place)/\(count)"]
      case .ofMore(let place, let count):
        [words(.hitOfMore, "\(place)", "\(count)"), "\(place)/\(count)+"]
      case .percent(let percent): ["\(percent) %"]
      }
    return [
      HeaderLine.Part(
        forms.map { (StyledText($0, style: Palette.quiet), .position) }, isRight: true)
    ]
  }
}
