import Foundation
import Messages
import TestBasics
import Testing

@testable import Polling

/// Many callers, sources and processes at once, in a different order for each seed.
@Suite(.timeLimit(.minutes(HangLimit.minutes))) struct PollerInterleavingTests {
  @Test(arguments: 0..<20 as Range<UInt64>)
  func everyRefreshCompletesExactlyOnceAndPollsNeverOverlap(seed: UInt64) async {
    let world = World()
    let store = MemoryStore()
    let script: @Sendable (SourceID, Int) -> ScriptedFetch.Script = { id, call in
      var random = SeededRandom(seed: seed &* 1000 &+ UInt64(call))
      let outcome: PollOutcome =
        switch Int.random(in: 0..<5, using: &random) {
        case 0: .failed(serverError, PollHints())
        case 1: notModified
        default: content("\(id.rawValue)-\(call)")
        }
      return .yields(Int.random(in: 0..<30, using: &random), outcome)
    }
    let sources = (1...10).map { source($0, host: "host\($0 % 3).example") }
    // Two processes, each with its own fetch; the store's lock shows that a source is polled once.
    let fetches = [ScriptedFetch(repeats: script), ScriptedFetch(repeats: script)]
    let pollers = fetches.map { world.poller(sources, $0, store) }

    let results = await withTaskGroup(of: [RefreshResult].self) { group in
      for caller in 0..<40 as Range<UInt64> {
        group.addTask {
          var random = SeededRandom(seed: seed &+ caller &* 7919)
          var results: [RefreshResult] = []
          for _ in 0..<5 {
            let poller = pollers[Int.random(in: 0..<2, using: &random)]
            let id = SourceID(Int64.random(in: 1...10, using: &random))
            let trigger: PollTrigger = Bool.random(using: &random) ? .forced : .soft
            switch Int.random(in: 0..<12, using: &random) {
            case 0: results += Array(await poller.refreshAll(trigger).values.prefix(1))
            case 1: await poller.pollDueSources(at: world.wall())
            case 2: await poller.storeChanged()
            default: results.append(await poller.refresh(id, trigger))
            }
            for _ in 0..<Int.random(in: 0..<10, using: &random) { await Task.yield() }
          }
          return results
        }
      }
      return await group.reduce(into: []) { $0 += $1 }
    }

    #expect(!results.isEmpty)
    #expect(!results.contains(.failed(.cancelled)))
    #expect(await store.lockedCount == 0)
    let asked = await fetches[0].calls.count + fetches[1].calls.count
    #expect(await store.reports.count == asked)
    for fetch in fetches {
      #expect(await fetch.mostInFlight <= 8)
      #expect(await fetch.mostOnHost <= 2)
    }
    for poller in pollers {
      for source in sources { #expect(await poller.activity(of: source.id)?.phase == .idle) }
    }
  }

  /// Stopped at any moment: every request is answered, and every record is complete.
  @Test(arguments: 0..<20 as Range<UInt64>)
  func stoppingAtAnyMomentAnswersEveryone(seed: UInt64) async {
    let world = World()
    let store = MemoryStore()
    let fetch = ScriptedFetch(repeats: { id, call in .yields(Int(seed) + call % 7, content("\(call)")) })
    let poller = world.poller((1...10).map { source($0) }, fetch, store)
    let running = Task { await poller.run() }
    await withTaskGroup(of: Void.self) { group in
      for id in 1...10 as ClosedRange<Int64> {
        group.addTask { _ = await poller.refresh(SourceID(id), .forced) }
      }
      group.addTask {
        for _ in 0..<seed * 5 { await Task.yield() }
        running.cancel()
      }
    }
    await running.value
    #expect(await store.lockedCount == 0)
    for report in await store.reports {
      #expect(await store.positions[report.source]?.cursor != nil)
    }
  }
}
