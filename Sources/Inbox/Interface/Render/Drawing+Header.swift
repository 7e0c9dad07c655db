import Foundation
import Messages
import Screen
import Words

extension Drawing {
  /// Dot, title, unread count and filters at the left; the state of polls at the right, if it fits.
  mutating func drawHeader() {
    let area = layout.header
    guard !area.isEmpty else { return }
    let left = headerTitle
    let room = area.size.columns - left.columns - 3
    let right = pollStatus.first { $0.columns <= room }
    frame.write(left.truncated(to: area.size.columns, ellipsis: signs.ellipsis), at: area.origin, in: area)
    if let right {
      let column = area.columns.upperBound - right.columns - 1
      frame.write(right, at: Point(column: column, row: area.origin.row), in: area)
    }
  }

  private var headerTitle: StyledText {
    let (name, unread, isUnseen): (SafeText, Int, Bool)
    switch state.shown.list.query.scope {
    case .all: (name, unread, isUnseen) = (words(.all), state.counts.unread, state.counts.isUnseen)
    case .starred: (name, unread, isUnseen) = (signs.before(words(.starred), signs.star), 0, false)
    case .snoozed: (name, unread, isUnseen) = (words(.snoozedList), 0, false)
    case .dismissed: (name, unread, isUnseen) = (words(.dismissedList), 0, false)
    case .hidden: (name, unread, isUnseen) = (words(.hiddenList), 0, false)
    case .list(let id):
      let list = state.shown.sources.list(id)
      (name, unread, isUnseen) = (
        state.shown.sources.title(of: id), list?.unread ?? 0, list?.isUnseen == true
      )
    case .folder(let folder):
      let sum = state.shown.sources.tree.sums[folder]
      (name, unread, isUnseen) = (
        state.shown.sources.title(of: folder), sum?.unread ?? 0, sum?.isUnseen == true
      )
    case .source(let id):
      let status = state.shown.sources.status(id)
      (name, unread, isUnseen) = (
        state.shown.sources.titles[id] ?? .empty, status?.unread ?? 0, status?.isUnseen == true
      )
    }
    var line = StyledText(" ")
    line.append(isUnseen ? signs.dot + " " : "  ", style: Palette.dot)
    line.append(name, style: Palette.heading)
    if unread > 0 {
      let count = layout.header.size.columns >= 60 ? words.count(.unread, unread) : "\(unread)"
      line.append("  " + count)
    }
    if state.shown.list.query.scope == .hidden {
      for hidden in state.counts.hidden.prefix(3) {
        let rule = SafeText(untrusted: hidden.rule)
        line.append(signs.between + words.count(.hiddenBy, hidden.count, rule), style: Palette.quiet)
      }
    }
    if case .source(let id) = state.shown.list.query.scope,
      state.shown.sources.status(id)?.source.settings.verifiesCertificates == false
    {
      line.append(signs.between + words(.notVerified), style: Palette.warning)
    }
    if state.shown.list.query.isUnreadOnly {
      line.append(signs.between + words(.unreadOnly), style: Palette.accent)
    }
    let order = state.shown.list.query.order
    let isShown =
      switch order {
      case .newest: false
      case .oldest: true
      case .source: state.shown.list.query.scope == .all && state.shown.list.query.search == nil
      case .priority: state.hasPriorityOrder
      }
    if isShown { line.append(signs.between + words.name(order), style: Palette.accent) }
    if let search = state.shown.list.query.search {
      let text = search.trimmingCharacters(in: .whitespaces)
      line.append(signs.between + words(.searching, SafeText(untrusted: text)), style: Palette.accent)
    }
    switch state.quiet {
    case .until(let end)?:
      let time = words.instant(end, from: state.now, in: state.options.zone, seconds: false)
      line.append(signs.between + words(.quietNow, time), style: Palette.accent)
    case .always?: line.append(signs.between + words(.quietAlways), style: Palette.accent)
    case nil: break
    }
    if let unsent = state.unsent {
      let time = words.instant(unsent.since, from: state.now, in: state.options.zone, seconds: false)
      line.append(signs.between + words.count(.actsNotSent, unsent.count, time), style: Palette.warning)
    }
    if let lookedBack { line.append(signs.between + lookedBack, style: Palette.quiet) }
    if !state.shown.list.marks.isEmpty {
      let selection = state.shown.list.marked().selection
      let count = "\(selection.ids.count)" + (selection.parts.isEmpty ? "" : "+")
      line.append(signs.between + words(.marked, SafeText(untrusted: count)), style: Palette.accent)
    }
    return line
  }

  // MARK: Polls

  /// From the longest to the shortest.
  private var pollStatus: [StyledText] {
    switch state.shown.list.query.scope {
    case .source(let id):
      guard let status = state.shown.sources.status(id) else { return [] }
      return self.status(of: status)
    case .all, .starred, .snoozed, .dismissed, .hidden, .folder, .list: return statusOfAll
    }
  }

  private func status(of status: SourceStatus) -> [StyledText] {
    if !status.source.kind.row.isPolled {
      return [StyledText(words.whoFills(status.source), style: Palette.quiet)]
    }
    let polling = state.polling[status.source.id]
    switch polling?.phase {
    case .polling?: return [busy(words(.polling)), busy(.empty)]
    case .queued?: return [StyledText(words(.queued), style: Palette.quiet)]
    case .idle?, nil: break
    }
    if status.source.settings.isPaused { return [StyledText(words(.shortPaused), style: Palette.quiet)] }
    if status.state.isGone {
      return [StyledText(signs.failed + " " + words(.shortGone), style: Palette.failure)]
    }
    let next = next(after: status.state.lastAttemptEnd)
    if let failure = status.state.lastFailure {
      let words = StyledText(signs.failed + " " + words.brief(failure), style: Palette.failure)
      return joined([words, next]) + [words, StyledText(signs.failed, style: Palette.failure)]
    }
    return joined([polled(status.state.lastAttemptEnd, next: polling?.next), next]) + [next].compactMap { $0 }
  }

  private var statusOfAll: [StyledText] {
    let polls = state.polls
    guard polls.count > 0 else { return [] }
    if polls.isPolling { return [busy(words(.polling)), busy(.empty)] }
    let next = next(after: polls.last)
    if polls.failed > 0 {
      let words = StyledText(
        signs.failed + " " + words.count(.sourcesFailed, polls.failed), style: Palette.failure)
      return joined([words, next]) + [words, StyledText(signs.failed, style: Palette.failure)]
    }
    return joined([polled(polls.last, next: polls.next), next]) + [next].compactMap { $0 }
  }

  private func busy(_ text: SafeText) -> StyledText {
    StyledText(text.isEmpty ? spinner : signs.before(text, spinner), style: Palette.accent)
  }

  private func polled(_ last: Date?, next: Date?) -> StyledText? {
    guard let last else { return StyledText(words(.neverPolled), style: Palette.quiet) }
    let time = words.instant(
      last, from: state.now, in: state.options.zone, seconds: isQuick(next, after: last))
    return StyledText(words(.polled, time), style: Palette.quiet)
  }

  private func next(after last: Date?) -> StyledText? {
    guard let date = state.nextPoll, date > state.now else { return nil }
    if let seconds = state.secondsToFirstPoll {
      return StyledText(words(.firstPoll, "\(seconds)"), style: Palette.quiet)
    }
    let time = words.instant(
      date, from: state.now, in: state.options.zone, seconds: isQuick(date, after: last))
    return StyledText(words(.next, time), style: Palette.quiet)
  }

  /// Polls that follow each other within two minutes need seconds.
  private func isQuick(_ next: Date?, after last: Date?) -> Bool {
    guard let next, let last else { return false }
    return next.timeIntervalSince(last) < 120
  }

  private func joined(_ parts: [StyledText?]) -> [StyledText] {
    let parts = parts.compactMap { $0 }
    guard let first = parts.first else { return [] }
    return [parts.dropFirst().reduce(first) { $0 + StyledText(signs.between, style: Palette.quiet) + $1 }]
  }
}
