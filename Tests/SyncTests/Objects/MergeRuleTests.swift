import Testing

@testable import Sync

/// Single cases of the rule; `ModelTests` tests its consequences.
@Suite struct MergeRuleTests {
  private let low = DeviceID.marker
  private let high = DeviceID.random()

  @Test func theLaterStampStandsThenTheGreaterDevice() {
    let write = { WrittenBy(stamp: Stamp(rawValue: $0), device: $1) }
    #expect(MergeRule.stands(write(1, low), over: nil))
    #expect(MergeRule.stands(write(2, low), over: write(1, high)))
    #expect(!MergeRule.stands(write(1, high), over: write(2, low)))
    #expect(MergeRule.stands(write(1, high), over: write(1, low)))
    #expect(!MergeRule.stands(write(1, low), over: write(1, high)))
    #expect(!MergeRule.stands(write(1, low), over: write(1, low)))
  }

  @Test func occasionsFitThemselvesAndNone() {
    func fits(_ cell: UInt64, _ message: UInt64) -> Bool {
      MergeRule.fits(cell, at: Stamp(rawValue: 0), CurrentOccasion(message))
    }
    #expect(fits(0, 5) && fits(5, 0) && fits(5, 5) && fits(0, 0))
    #expect(!fits(5, 6))
  }

  @Test func whatWasDoneBeforeAPublicationIsNotOfIt() {
    func fits(_ cell: UInt64, at milliseconds: Int64) -> Bool {
      MergeRule.fits(cell, at: Stamp(milliseconds: milliseconds), CurrentOccasion(5, published: 100))
    }
    #expect(!fits(0, at: 99) && fits(0, at: 100) && fits(0, at: 101))
    #expect(fits(5, at: 99) && !fits(6, at: 101))
  }

  @Test func anActIsBehindAllThatItsMachineKnows() {
    let now: Int64 = 1000
    let clock = Stamp(milliseconds: now)
    #expect(MergeRule.stamp(now: now, above: nil) == clock)
    #expect(MergeRule.stamp(now: now, above: Stamp(rawValue: clock.rawValue - 1)) == clock)
    #expect(MergeRule.stamp(now: now, above: clock) == clock.next)
    #expect(MergeRule.stamp(now: -5, above: nil).rawValue == 0)
  }

  /// Nothing that another machine writes may trap, or make acts that others refuse.
  @Test func theLastStampIsBelowTheLimit() {
    let last = Stamp(rawValue: Stamp.limit - 1)
    #expect(MergeRule.stamp(now: .max, above: last) == last)
    #expect(MergeRule.stamp(now: .max, above: nil) < last)
    let by = WrittenBy(stamp: last, device: low)
    for moment in [Int64.min, 0, .max] {
      #expect(MergeRule.waking(until: moment, by: by, now: .max)?.stamp == last)
    }
  }

  @Test func aSnoozeThatIsOverMakesUnread() {
    let snooze = WrittenBy(stamp: Stamp(milliseconds: 10), device: high)
    #expect(MergeRule.waking(until: nil, by: snooze, now: 100) == nil)
    #expect(MergeRule.waking(until: 101, by: snooze, now: 100) == nil)
    let waking = MergeRule.waking(until: 100, by: snooze, now: 100)
    #expect(waking == WrittenBy(stamp: Stamp(milliseconds: 100), device: high))
    #expect(MergeRule.waking(until: 5, by: snooze, now: 100) == snooze)
  }
}
