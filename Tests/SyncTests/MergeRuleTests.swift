import Testing

@testable import Sync

/// Single cases of the rule; `ModelTests` has what follows from it.
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
    #expect(MergeRule.fits(0, 5) && MergeRule.fits(5, 0) && MergeRule.fits(5, 5) && MergeRule.fits(0, 0))
    #expect(!MergeRule.fits(5, 6))
  }

  @Test func anActIsBehindAllThatItsMachineKnows() {
    let now: Int64 = 1000
    let clock = Stamp(milliseconds: now)
    #expect(MergeRule.stamp(now: now, above: nil) == clock)
    #expect(MergeRule.stamp(now: now, above: Stamp(rawValue: clock.rawValue - 1)) == clock)
    #expect(MergeRule.stamp(now: now, above: clock) == clock.next)
    #expect(MergeRule.stamp(now: -5, above: nil).rawValue == 0)
    for highest in [nil, Stamp(rawValue: clock.rawValue - 1), clock, clock.next] {
      #expect(MergeRule.isAhead(highest, of: now) == (MergeRule.stamp(now: now, above: highest) > clock))
    }
  }

  /// Nothing that another machine writes makes acts that others refuse, or a trap.
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

    let before = WrittenBy(stamp: Stamp(milliseconds: 99), device: high)
    let after = WrittenBy(stamp: Stamp(milliseconds: 101), device: low)
    #expect(!MergeRule.isRead((true, before), waking: waking, arrived: true))
    #expect(MergeRule.isRead((true, after), waking: waking, arrived: false))
    #expect(!MergeRule.isRead(nil, waking: waking, arrived: true))
    #expect(MergeRule.isRead(nil, waking: nil, arrived: true))
  }

  @Test func undoTakesBackWhatStillStands() {
    let write = WrittenBy(stamp: Stamp(rawValue: 1), device: low)
    let other = WrittenBy(stamp: Stamp(rawValue: 1), device: high)
    func takes(
      _ standing: WrittenBy?, _ occasion: UInt64 = 1, _ message: UInt64 = 1, snooze: Int64? = nil
    ) -> Bool {
      MergeRule.takesBack(
        write, standing: standing, occasion: occasion, message: message, snooze: snooze, now: 100)
    }
    #expect(takes(write) && takes(write, 0, 2) && takes(write, 1, 0) && takes(write, snooze: 101))
    #expect(!takes(other) && !takes(nil) && !takes(write, 1, 2) && !takes(write, snooze: 100))
  }
}
