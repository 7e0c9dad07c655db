import Foundation
package import Messages
import Screen
import Words

package enum PollingAction: Hashable, Sendable {
  /// The polls of some sources began, ended or were rescheduled.
  case changed([SourceID: SourcePolling])
  /// An attempt changed: a poll began, ended or was delayed, a refresh joined a running poll, or the user's
  /// changes were sent to a service.
  case attempted(PollAttempt)
  /// The response to `loadTimeline`, newest first.
  case timelineLoaded(SourceID?, [PollAttempt])
  /// A forced refresh ended; soft ones may be reported too.
  case refreshEnded(SourceID, RefreshResult)
  /// The response to `scheduleTick`: the spinner shows its next picture.
  case ticked
  /// The response to `scheduleSecond`: the countdown to the first poll continues.
  case secondPassed
}

package enum PollingEffect: Hashable, Sendable {
  /// Requests a soft refresh of these sources, or of all if `nil`. It skips sources that were polled a short time ago.
  case refresh(Set<SourceID>?)
  /// Requests forced refreshes, for which the time of the last poll does not matter. Each polled source ends with a
  /// `refreshEnded`.
  case refreshNow(Set<SourceID>?)
  /// Loads the last attempts, of one source or of all.
  case loadTimeline(SourceID?)
  /// Requests one `ticked` after about 100 ms; only while a visible source is being polled.
  case scheduleTick
  /// Requests one `secondPassed` after a second; only while the header counts down to the first poll.
  case scheduleSecond
}

extension AppState {
  mutating func reduce(_ action: PollingAction) -> [Effect] {
    switch action {
    case .changed(let states):
      polling.merge(states) { $1 }
      for (source, standing) in states where standing.phase != .idle { round.insert(source) }
    case .attempted(let attempt): if isShown(attempt.source) { shown.timeline.add(attempt) }
    case .timelineLoaded(let source, let attempts):
      if source == shownSource { shown.timeline.apply(attempts.filter { isShown($0.source) }) }
    case .refreshEnded(let source, let result): applyRefresh(result, of: source)
    case .ticked: animation.tick()
    case .secondPassed: animation.isCountingDown = false
    }
    return []
  }

  /// Performs a command for polls and their timeline; returns `nil` for any other command.
  mutating func performPolling(_ command: Command) -> [Effect]? {
    switch command {
    case .refresh:
      if case .problem(let source)? = dialog.overlay { return refreshNow(.source(source)) }
      return refreshNow(focus.pane == .sources ? shown.sources.scope : shown.list.query.scope)
    case .refreshAll: return refreshNow(.all)
    case .timeline: return toggleTimeline()
    case _: return nil
    }
  }

  // MARK: The timeline

  mutating func toggleTimeline() -> [Effect] {
    shown.timeline.isOpen.toggle()
    shown.timeline.scroll = 0
    setFocus(shown.timeline.isOpen ? .timeline : focus.inner)
    return shown.timeline.isOpen ? [loadTimeline()] : []
  }

  mutating func loadTimeline() -> Effect {
    shown.timeline.ask()
    return .polling(.loadTimeline(shownSource))
  }

  // MARK: Refreshing

  private mutating func refreshNow(_ scope: InboxQuery.Scope) -> [Effect] {
    let polled = shown.sources.statuses.filter { $0.source.kind.row.isPolled }.map(\.source.id)
    let sources = shown.sources.sources(in: scope)
    let asked = polled.filter { sources?.contains($0) ?? true }
    guard !asked.isEmpty else { return report(words(.refreshNothingToPoll)) }
    var tally = pending.refresh ?? RefreshTally(waiting: [])
    tally.waiting.formUnion(asked)
    pending.refresh = tally
    return [.polling(.refreshNow(sources))]
  }

  private mutating func applyRefresh(_ result: RefreshResult, of source: SourceID) {
    guard var tally = pending.refresh, tally.waiting.contains(source) else { return }
    tally.apply(result, of: source)
    pending.refresh = tally
    if tally.waiting.isEmpty { showResult(of: tally) }
  }

  /// Ends the refresh of removed sources, which will not respond.
  mutating func endRefreshOfRemoved() {
    guard var tally = pending.refresh, !tally.waiting.isEmpty else { return }
    let known = Set(shown.sources.statuses.map(\.source.id))
    guard !tally.waiting.isSubset(of: known) else { return }
    tally.waiting.formIntersection(known)
    pending.refresh = tally
    if tally.waiting.isEmpty { showResult(of: tally) }
  }

  private mutating func showResult(of tally: RefreshTally) {
    pending.refresh = nil
    var parts: [SafeText] = []
    if tally.new + tally.back > 0 {
      let news = RefreshResult.new(count: tally.new, back: tally.back)
      parts.append(words.sentence(news, at: now, in: options.zone))
    }
    if let first = tally.failures.first {
      let sentence = words(
        .refreshFailed, shown.sources.titles[first.source] ?? .empty, words.sentence(first.failure))
      if tally.failures.count > 1 { parts.append(words.count(.sourcesFailed, tally.failures.count)) }
      parts.append(sentence)
    }
    if parts.isEmpty, let held = tally.held {
      parts.append(words.heldBack(until: held.until, rule: held.rule, at: now, in: options.zone))
    }
    guard let first = parts.first else {
      report(words(.refreshNothing))
      return
    }
    let kind: Toast.Kind = !tally.failures.isEmpty ? .failure : tally.new + tally.back > 0 ? .news : .warning
    report(parts.dropFirst().reduce(first) { $0 + options.signs.between + $1 }, kind)
  }
}
