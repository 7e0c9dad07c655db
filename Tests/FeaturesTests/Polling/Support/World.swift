import Foundation
import Messages
import Polling
import Synchronization
import Testing

/// Friday, 15 January 2027, 08:00:00 UTC.
let morning = Date(timeIntervalSince1970: 1_800_000_000)

/// The two clocks of a test: `clock` counts, `wall` can be set.
final class World: Sendable {
  let clock = ManualClock()
  private let skew = Mutex(0.0)

  func wall() -> Date { morning + seconds(clock.now.offset) + skew.withLock { $0 } }

  func setWall(by seconds: TimeInterval) { skew.withLock { $0 += seconds } }

  func poller(
    _ sources: [Source], _ fetch: ScriptedFetch, _ store: MemoryStore, jitter: Double = 0,
    limits: PollSchedule.Limits = .init()
  ) -> Poller {
    Poller(
      sources: sources, fetching: fetch, recording: store, limits: limits, clock: clock,
      now: { self.wall() }, jitter: { jitter })
  }
}

func seconds(_ duration: Duration) -> TimeInterval {
  Double(duration.components.seconds) + Double(duration.components.attoseconds) * 1e-18
}

func source(
  _ id: Int64, host: String? = nil, kind: SourceKind = .feed, interval: Int = 600, grace: Int = 180
) -> Source {
  var polling = PollSettings()
  polling.interval = .seconds(interval)
  polling.grace = .seconds(grace)
  return Source(
    id: SourceID(id), name: "source\(id)",
    settings: SourceSettings(
      kind: kind, address: "https://\(host ?? "host\(id).example")/feed", polling: polling))
}

func content(_ ids: String..., hints: PollHints = PollHints(), wantsRefresh: Bool = false) -> PollOutcome {
  var content = PollContent(
    messages: ids.map { IncomingMessage(remoteID: RemoteID($0), kind: .feed, title: $0) })
  content.position.cursor = ids.last.map { Cursor($0) }
  content.wantsRefresh = wantsRefresh
  return .content(content, hints)
}

let notModified = PollOutcome.notModified(PollPosition(), PollHints())
let serverError = FetchFailure.status(500, reason: "Internal Server Error")

func hints(_ change: (inout PollHints) -> Void) -> PollHints {
  var hints = PollHints()
  change(&hints)
  return hints
}

/// Collects a poller's events so that a test can wait for one of them.
struct EventReader {
  private var iterator: AsyncStream<PollEvent>.Iterator

  init(_ poller: Poller) async { iterator = await poller.events().makeAsyncIterator() }

  mutating func next() async -> PollEvent? { await iterator.next(isolation: #isolation) }

  /// Returns the next finished line of the timeline.
  mutating func attempt() async -> PollAttempt? {
    while let event = await next() {
      if case .attempt(let attempt) = event, attempt.result != .started { return attempt }
    }
    return nil
  }

  mutating func phase(of id: SourceID, is matches: (SourceActivity.Phase) -> Bool) async {
    while let event = await next() {
      if case .changed(let activities) = event,
        activities.contains(where: { $0.source == id && matches($0.phase) })
      {
        return
      }
    }
  }
}
