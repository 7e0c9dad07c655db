import TestBasics
import Testing

@testable import Polling

@Suite(.timeLimit(.minutes(HangLimit.minutes))) struct AlarmsTests {
  private let clock = ManualClock()
  private let alarms: Alarms
  private let rung: AsyncStream<String>
  private let bell: AsyncStream<String>.Continuation

  init() {
    alarms = Alarms(clock)
    (rung, bell) = AsyncStream.makeStream()
  }

  private func set(_ name: String, after seconds: Int) -> UInt64 {
    alarms.add(after: .seconds(seconds)) { [bell] in bell.yield(name) }
  }

  @Test func eachRingsAtItsTime() async {
    var rings = rung.makeAsyncIterator()
    _ = set("late", after: 60)
    _ = set("early", after: 20)
    _ = set("between", after: 40)
    for (name, second) in [("early", 20), ("between", 40), ("late", 60)] {
      await clock.sleeper(until: .seconds(second))
      clock.advance(to: .seconds(second))
      #expect(await rings.next() == name)
    }
  }

  @Test func aRemovedOneIsSilent() async {
    var rings = rung.makeAsyncIterator()
    let removed = set("removed", after: 20)
    _ = set("kept", after: 30)
    alarms.remove(removed)
    // The task still sleeps for the alarm that was removed, and continues with the next one.
    await clock.sleeper(until: .seconds(20))
    clock.advance(to: .seconds(20))
    await clock.sleeper(until: .seconds(30))
    clock.advance(to: .seconds(30))
    #expect(await rings.next() == "kept")
  }

  @Test func afterAllHaveRungTheNextOneRingsToo() async {
    var rings = rung.makeAsyncIterator()
    for (name, second) in [("first", 10), ("second", 25)] {
      _ = set(name, after: second == 10 ? 10 : 15)
      await clock.sleeper(until: .seconds(second))
      clock.advance(to: .seconds(second))
      #expect(await rings.next() == name)
    }
  }

  @Test func aTimeThatIsOverRingsAtOnce() async {
    var rings = rung.makeAsyncIterator()
    _ = set("now", after: 0)
    #expect(await rings.next() == "now")
    _ = set("before", after: -5)
    #expect(await rings.next() == "before")
  }

  @Test func severalOfOneInstantRingTogether() async {
    for number in 0..<50 { _ = set("\(number)", after: 30) }
    await clock.sleeper(until: .seconds(30))
    clock.advance(to: .seconds(30))
    var names: Set<String> = []
    for await name in rung {
      names.insert(name)
      if names.count == 50 { break }
    }
    #expect(names.count == 50)
  }
}
