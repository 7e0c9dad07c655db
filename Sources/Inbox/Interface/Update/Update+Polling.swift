import Foundation
import Messages
import Screen
import Words

extension AppState {
  mutating func refreshNow(_ scope: InboxQuery.Scope) -> [Effect] {
    let polled = shown.sources.statuses.filter { $0.source.kind.row.isPolled }.map(\.source.id)
    let sources = shown.sources.sources(in: scope)
    let asked = polled.filter { sources?.contains($0) ?? true }
    guard !asked.isEmpty else {
      statusLine.toast = Toast(words(.refreshNothingToPoll))
      return []
    }
    var tally = pending.refresh ?? RefreshTally(waiting: [])
    tally.waiting.formUnion(asked)
    pending.refresh = tally
    return [.refreshNow(sources)]
  }

  mutating func applyRefresh(_ result: RefreshResult, of source: SourceID) {
    guard var tally = pending.refresh, tally.waiting.contains(source) else { return }
    tally.apply(result, of: source)
    pending.refresh = tally
    if tally.waiting.isEmpty { showResult(of: tally) }
  }

  /// Removed sources will not answer.
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
      statusLine.toast = Toast(words(.refreshNothing))
      return
    }
    let kind: Toast.Kind = !tally.failures.isEmpty ? .failure : tally.new + tally.back > 0 ? .news : .warning
    statusLine.toast = Toast(parts.dropFirst().reduce(first) { $0 + options.signs.between + $1 }, kind)
  }
}
