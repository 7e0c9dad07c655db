import Foundation
import Messages
import TestBasics
import Testing

@testable import Polling

/// Responses to requests that a server held open, which a poll stores.
@Suite(.timeLimit(.minutes(HangLimit.minutes))) struct HeldAnswerTests {
  private let world = World()
  private let store = MemoryStore()

  @Test func anAnswerIsAPollsFirstPart() async {
    let more = hints { $0.leaveMore() }
    let fetch = ScriptedFetch([one: [.answer(content("a")), .answer(content("c"))]])
    let poller = world.poller([source(1)], fetch, store)
    #expect(await poller.refresh(one, .stream) == .new(count: 1))
    let position = await store.positions[one] ?? PollPosition()
    let answer = HeldAnswer(position: position, outcome: content("b", hints: more))
    #expect(answer.isNews)
    // The rest is fetched as usual, in the same turn.
    #expect(await poller.refresh(one, with: answer) == .new(count: 2))
    #expect(await fetch.positions.map(\.cursor) == [nil, Cursor("b")])
    #expect(await store.positions[one]?.cursor == Cursor("c"))
    #expect(await store.leases == 2)
    #expect(await store.lockedCount == 0)
  }

  @Test func anAnswerFromAnotherPositionIsAskedForAgain() async {
    let fetch = ScriptedFetch([one: [.answer(content("a")), .answer(content("b"))]])
    let poller = world.poller([source(1)], fetch, store)
    #expect(await poller.refresh(one, .stream) == .new(count: 1))
    let late = HeldAnswer(position: PollPosition(), outcome: content("a", "b"))
    #expect(await poller.refresh(one, with: late) == .new(count: 1))
    #expect(await fetch.positions.map(\.cursor) == [nil, Cursor("a")])
  }

  @Test func aFailureIsRecordedWithItsWait() async {
    let poller = world.poller([source(1)], ScriptedFetch(), store)
    let wait = hints { $0.retryAfter = morning + 60 }
    let answer = HeldAnswer(position: PollPosition(), outcome: .failed(.heldBack(status: 503), wait))
    #expect(!answer.isNews)
    _ = await poller.refresh(one, with: answer)
    guard case .heldBack(let until, .retryAfter) = await poller.refresh(one, .stream) else {
      Issue.record("the host isn't held")
      return
    }
    #expect(until == morning + 60)
  }

  /// If there is no Retry-After, the source's own wait is used, and at least a minute.
  @Test func aHostThatHasEnoughIsLeftAlone() async {
    let sources = [source(1, host: "a.example"), source(2, host: "a.example"), source(3)]
    let poller = world.poller(sources, ScriptedFetch([three: [.answer(content("c"))]]), store)
    let tooMany = HeldAnswer(
      position: PollPosition(), outcome: .failed(.status(429, reason: "Too Many Requests"), PollHints()))
    _ = await poller.refresh(one, with: tooMany)
    guard case .heldBack(let until, .retryAfter(host: "a.example")) = await poller.refresh(two, .forced)
    else {
      Issue.record("the host isn't held")
      return
    }
    #expect(until >= morning + 60)
    #expect(await poller.refresh(three, .forced) == .new(count: 1))
  }
}
