import Basics
import Foundation
import Messages
import Services
import Testing

/// 2026-11-20T09:00:00Z.
let now = Date(timeIntervalSince1970: 1_795_165_200)

func source(_ address: String = "http://feeds.example/a", _ kind: SourceKind = .feed) -> Source {
  Source(id: SourceID(1), name: "a", kind: kind, address: address)
}

func poll(
  _ source: Source, from position: PollPosition = PollPosition(),
  context: PollContext = PollContext(now: now),
  _ exchanges: [Exchange]
) async throws -> PollOutcome {
  try await ScriptedTransport.run(exchanges) { transport in
    let adapters = SourceAdapters(transport: transport)
    let adapter = try #require(adapters.adapter(for: source.kind))
    return await adapter.pollAll(source, position: position, context: context)
  }
}

extension SourceAdapter {
  /// Polls all parts and returns one outcome: their combined content, or the failure of one.
  func pollAll(
    _ source: Source, position: PollPosition, context: PollContext, record: (PollOutcome) -> Void = { _ in }
  ) async -> PollOutcome {
    var position = position
    var all: PollContent?
    for part in 1... {
      let outcome = await poll(source, position: position, context: context)
      record(outcome)
      guard case .content(let content, let hints) = outcome else {
        if case .notModified(let position, let hints) = outcome, var all {
          all.position = position
          return .content(all, hints)
        }
        return outcome
      }
      all = all?.adding(content) ?? content
      guard hints.hasMore, part < hints.partsAtMost ?? Limits.pollParts else {
        return .content(all ?? content, hints)
      }
      position = content.position
      position.isContinued = true
    }
    return .failed(.cancelled, PollHints())
  }
}

extension PollContent {
  /// Returns the content with that of the next part of the same poll.
  fileprivate func adding(_ next: PollContent) -> PollContent {
    var sum = next
    sum.messages = messages + next.messages
    sum.problems = problems + next.problems
    sum.ignoredKeys = ignoredKeys + next.ignoredKeys.filter { !ignoredKeys.contains($0) }
    sum.features = features + next.features
    sum.title = next.title ?? title
    sum.link = next.link ?? link
    sum.badge = next.badge ?? badge
    sum.wantsRefresh = wantsRefresh || next.wantsRefresh
    sum.hasNewIDs = hasNewIDs || next.hasNewIDs
    if let before = upstream {
      sum.upstream = next.upstream ?? UpstreamState()
      sum.upstream?.marks = before.marks + (next.upstream?.marks ?? [])
      if next.upstream?.open == nil {
        sum.upstream?.open = before.open
        sum.upstream?.unreadable = before.unreadable
        sum.upstream?.isComplete = before.isComplete
      }
      sum.upstream?.readThrough = next.upstream?.readThrough ?? before.readThrough
    }
    return sum
  }
}

extension PollOutcome {
  var content: PollContent? {
    if case .content(let content, _) = self { content } else { nil }
  }

  var failure: FetchFailure? {
    if case .failed(let failure, _) = self { failure } else { nil }
  }

  var notModified: PollPosition? {
    if case .notModified(let position, _) = self { position } else { nil }
  }
}
