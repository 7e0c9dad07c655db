import Basics
import Foundation
import Messages
import Testing

@testable import Notifications
@testable import Queries

/// How waiting messages become notices.
struct NoticePlanTests {
  static let now = Date(timeIntervalSince1970: 1_800_000_000)

  /// Messages 1, 2, … by their sources' numbers, all as old.
  private func waiting(_ sources: [Int64], secondsOld: Double = 5) -> [NoticeCandidate] {
    sources.enumerated().map {
      NoticeCandidate(
        message: MessageID(Int64($0 + 1)), source: SourceID($1),
        at: Self.now.addingTimeInterval(-secondsOld))
    }
  }

  private func ids(_ ids: Int64...) -> [MessageID] { ids.map { MessageID($0) } }

  private func plan(
    _ waiting: [NoticeCandidate], _ channel: NoticePlan.Channel = .init(), _ quiet: Quiet = Quiet()
  ) -> NoticePlan {
    NoticePlan(waiting, on: channel, quiet, at: Self.now, in: .gmt)
  }

  @Test func nothingIsMadeOfNothing() {
    let plan = plan([])
    #expect(plan.notices.isEmpty && plan.next == nil)
  }

  @Test func upToThreeMessagesAreToldOneByOne() {
    #expect(
      plan(waiting([1, 1, 2])).notices
        == [
          PlannedNotice(.message, ids(1)), PlannedNotice(.message, ids(2)), PlannedNotice(.message, ids(3)),
        ])
  }

  @Test func moreAreOneForEachSource() {
    #expect(
      plan(waiting([1, 2, 1, 1])).notices
        == [PlannedNotice(.source, ids(1, 3, 4)), PlannedNotice(.message, ids(2))])
  }

  @Test func moreThanThreeNoticesAreOneDigest() {
    #expect(plan(waiting([1, 2, 3, 4])).notices == [PlannedNotice(.digest, ids(1, 2, 3, 4))])
  }

  @Test func theNoticesOfTheLastMinuteCount() {
    let shown = [-10.0, -20, -59].map { Self.now.addingTimeInterval($0) }
    let replacing = NoticePlan.Channel(shown: shown, digest: NoticeID(7), canReplace: true)
    #expect(
      plan(waiting([1]), replacing).notices == [PlannedNotice(.digest, ids(1), replacing: NoticeID(7))])
    // A channel that cannot replace waits until the minute has room.
    let bell = plan(waiting([1]), NoticePlan.Channel(shown: shown))
    #expect(bell.notices.isEmpty && bell.next == Self.now.addingTimeInterval(1))
    let older = NoticePlan.Channel(shown: shown.map { $0.addingTimeInterval(-1) })
    #expect(plan(waiting([1]), older).notices == [PlannedNotice(.message, ids(1))])
    #expect(plan(waiting([1, 2]), older).notices == [PlannedNotice(.digest, ids(1, 2))])
  }

  @Test func aRoundIsWaitedForButNotForEver() {
    let fresh = plan(waiting([1], secondsOld: 0.5))
    #expect(fresh.notices.isEmpty && fresh.next == Self.now.addingTimeInterval(1.5))
    let both = waiting([1], secondsOld: 3) + waiting([1], secondsOld: 1)
    #expect(plan(both).next == Self.now.addingTimeInterval(1))
    #expect(plan(waiting([1], secondsOld: 11) + waiting([1], secondsOld: 1)).notices.count == 2)
    #expect(plan(waiting([1], secondsOld: 0), .init(delay: .zero)).notices.count == 1)
  }

  @Test func aClockThatWasSetDelaysNothing() {
    #expect(plan(waiting([1], secondsOld: -3600)).notices.count == 1)
    let shown = [3600.0, 3601, 3602].map { Self.now.addingTimeInterval($0) }
    #expect(plan(waiting([1]), .init(shown: shown)).notices == [PlannedNotice(.message, ids(1))])
  }

  // MARK: Quiet

  /// Quiet hours that began an hour ago.
  private func quiet(until seconds: Double) -> Quiet {
    Quiet(
      asked: DateInterval(
        start: Self.now.addingTimeInterval(-3600), end: Self.now.addingTimeInterval(seconds)))
  }

  @Test func quietHoldsBackAllButWhatIsAllowed() {
    var waiting = waiting([1, 2])
    waiting[1].isAllowed = true
    let plan = plan(waiting, .init(), quiet(until: 600))
    #expect(plan.notices == [PlannedNotice(.message, ids(2))])
    #expect(plan.next == Self.now.addingTimeInterval(600))
  }

  @Test func atTheEndThereIsOneDigest() {
    let held = waiting([1, 2, 3, 3, 3], secondsOld: 300)
    let over = quiet(until: -60)
    #expect(plan(held, .init(), over).notices == [PlannedNotice(.digest, ids(1, 2, 3, 4, 5))])
    // A message that arrived afterwards gets a separate notification.
    var mixed = held
    mixed[4].at = Self.now.addingTimeInterval(-5)
    #expect(
      plan(mixed, .init(), over).notices
        == [PlannedNotice(.digest, ids(1, 2, 3, 4)), PlannedNotice(.message, ids(5))])
    #expect(plan([held[0]], .init(), over).notices == [PlannedNotice(.message, ids(1))])
  }
}
