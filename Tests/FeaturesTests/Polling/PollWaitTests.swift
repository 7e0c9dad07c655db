import Foundation
import Messages
import Testing

@testable import Polling

@Suite struct PollWaitTests {
  static func wait(interval: Int, failures: Int, jitter: Double = 0) -> PollWait {
    var settings = PollSettings()
    settings.interval = .seconds(interval)
    var state = PollState()
    state.failures = failures
    state.jitter = jitter
    return PollWait.periodic(state, settings)
  }

  @Test(arguments: [
    (600, 0, 600.0), (600, 1, 1200), (600, 5, 19_200), (600, 6, 19_200), (600, 1_000_000, 19_200),
    (675, 5, 21_600), (676, 5, 21_600), (3600, 3, 21_600), (21_600, 1, 21_600), (86_400, 4, 86_400),
  ])
  func backoffDoublesUpToFiveTimesAndToSixHours(interval: Int, failures: Int, seconds: TimeInterval) {
    #expect(Self.wait(interval: interval, failures: failures).seconds == seconds)
  }

  @Test(arguments: [(-1.0, 600.0), (0, 600), (0.1, 660), (5, 660), (.nan, 600), (.infinity, 600)])
  func jitterStaysWithinATenth(jitter: Double, seconds: TimeInterval) {
    #expect(abs(Self.wait(interval: 600, failures: 0, jitter: jitter).seconds - seconds) < 1e-9)
  }

  @Test func jitterDoesNotLiftTheCapOfSixHours() {
    #expect(Self.wait(interval: 3600, failures: 5, jitter: 0.1).seconds == 21_600)
  }
}

@Suite struct SkippedTimesTests {
  static func end(hours: Set<Int> = [], days: Set<Int> = [], _ second: TimeInterval) -> TimeInterval? {
    var state = PollState()
    (state.skipHours, state.skipDays) = (hours, days)
    return SkippedTimes(state).end(from: morning + second)?.date.timeIntervalSince(morning)
  }

  /// `morning` is Friday 08:00 UTC.
  @Test(
    arguments: [
      (Set([8]), Set<Int>(), -1.0, nil), ([8], [], 0, 3600.0), ([8], [], 3599, 3600), ([8], [], 3600, nil),
      ([8, 9, 10], [], 1, 10_800), ([23, 0, 1], [], 15 * 3600, 18 * 3600),
      ([], [5], 0, 57_600), ([], [5], 57_599, 57_600), ([], [5], 57_600, nil), ([], [4], -28_801, -28_800),
      ([], [5, 6, 7], 0, 230_400), ([0, 1], [5], 0, 64_800), ([8], [1], 10, 3600),
      (Set(1...23), [1, 2, 3, 4, 5, 6], 0, 144_000), (Set(0...23), [], 0, nil), ([], Set(1...7), 0, nil),
      (Set(0...23), [5], 0, 57_600), ([24, -1, 99], [0, 8], 0, nil),
    ] as [(Set<Int>, Set<Int>, TimeInterval, TimeInterval?)])
  func theNextAllowedInstant(hours: Set<Int>, days: Set<Int>, second: TimeInterval, expected: TimeInterval?) {
    #expect(Self.end(hours: hours, days: days, second) == expected)
  }

  @Test func weekdaysBefore1970AreRightToo() {
    var state = PollState()
    state.skipDays = [3]
    // Wednesday, 31 December 1969.
    #expect(SkippedTimes(state).end(from: Date(timeIntervalSince1970: -1))?.date.timeIntervalSince1970 == 0)
    #expect(SkippedTimes(state).end(from: .distantFuture.addingTimeInterval(1e300)) == nil)
  }
}

@Suite struct HostNameTests {
  @Test(arguments: [
    ("https://Example.ORG/feed", "example.org"), ("https://example.org:443/x", "example.org"),
    ("http://example.org:80", "example.org"), ("http://example.org:443/", "example.org:443"),
    ("http://127.0.0.1:8080/a?b=c://d", "127.0.0.1:8080"),
    ("https://user:pa@ss@example.org/x", "example.org"),
    ("https://example.org./", "example.org"), ("http://[::1]:8080/", "[::1]:8080"),
    ("http://[::1]/", "[::1]"),
    ("https://example.org?x", "example.org"), ("HTTPS://example.org:443#f", "example.org"),
    ("https://münchen.example/", "münchen.example"), ("https://example.org:/x", "example.org"),
  ])
  func isTheAuthorityWithoutWhatMakesNoDifference(address: String, host: String) {
    #expect(HostName.of(address) == host)
  }

  @Test(arguments: [
    "", "file:///tmp/x", "file://host/x", "https://", "https:///x", "nonsense", "mailto:a@b.c",
  ])
  func isMissingWhereNothingIsShared(address: String) {
    #expect(HostName.of(address) == nil)
  }
}
