import Basics
import Foundation
import Hub
import PostgreSQL
import PostgreSQLStandIn
import StandIns
import TestBasics
import Testing

/// A hub whose clock is a day off that of its database. The database has another `clock_timestamp()`, which is found
/// before PostgreSQL's: for the hub this is the same as another own clock, which no program may change for another one.
@Suite(
  .enabled(
    if: PostgreSQLServer.isInstalled,
    "PostgreSQL's server is not installed: Resources/install-packages --servers"),
  .timeLimit(.minutes(HangLimit.minutes)))
struct HubClockTests {
  /// Returns a database whose time is so many days from that of the hubs.
  private func premises(days: Int) throws -> (premises: HubPremises, now: () throws -> Date) {
    let premises = try HubPremises(.database)
    let ask = try premises.administrator()
    try ask("CREATE SCHEMA shifted")
    for (name, volatility) in [("clock_timestamp", "VOLATILE"), ("now", "STABLE")] {
      try ask(
        """
        CREATE FUNCTION shifted.\(name)() RETURNS timestamptz LANGUAGE sql \(volatility) AS
          $$ SELECT pg_catalog.\(name)() + interval '\(days) days' $$
        """)
    }
    // This applies to connections that are made from here on.
    try ask(
      """
      DO $$ BEGIN
        EXECUTE format('ALTER DATABASE %I SET search_path = shifted, pg_catalog, public', current_database());
      END $$
      """)
    return (
      premises,
      { Date(stored: try #require(try ask("SELECT shifted.clock_timestamp()").first?.time(0))) }
    )
  }

  @Test(arguments: [1, -1])
  func whatIsScheduledComesOnceByTheDatabasesClock(days: Int) async throws {
    let (premises, now) = try premises(days: days)
    #expect(abs(try now().timeIntervalSinceNow - 86_400 * Double(days)) < 3600)
    try await RunningHub.with(premises) { hub in
      let begin = try now()
      let due = begin.addingTimeInterval(1.5)
      let later = try await hub.publish(
        #"[{"title": "At", "not_before": "\#(ISOInstant.text(due))"}, {"title": "In", "not_before": "2s"}]"#)
      #expect(later.body.matches(of: #/"state":"scheduled"/#).count == 2, "\(later)")

      // A waiting reader gets each item at its time.
      var (since, seen): (Int64, [String]) = (0, [])
      while seen.count < 2 {
        let page = try await hub.read("?since_id=\(since)&wait=20")
        let time = try now()
        for match in page.body.matches(of: #/"title":"(At|In)"/#) {
          let title = String(match.1)
          seen.append(title)
          // The times are two seconds from the last time that the hub read the database's clock, which may have been a
          // while ago.
          let moment = title == "At" ? due : begin.addingTimeInterval(1)
          #expect(time >= moment, "\(title) is early")
          #expect(time < moment.addingTimeInterval(20), "\(title) is late")
        }
        since = try #require(page.body.firstMatch(of: #/"last_id":(\d+)\}$/#).flatMap { Int64($0.1) })
      }
      #expect(Set(seen) == ["At", "In"])
      // An item that appears then has that time too, and nothing comes again.
      #expect(try await hub.publish(#"{"title": "Now"}"#).status == 201)
      let all = try await hub.read()
      let times = all.body.matches(of: #/"time":"([^"]+)"/#).compactMap { ISOInstant.parse(String($0.1)) }
      #expect(times.count == 3 && times.allSatisfy { abs($0.timeIntervalSince(due)) < 60 }, "\(all.body)")
    }
  }

  /// An item's end depends on the same clock.
  @Test(arguments: [1, -1])
  func whatExpiresIsThereUntilThenByTheDatabasesClock(days: Int) async throws {
    let (premises, now) = try premises(days: days)
    try await RunningHub.with(premises) { hub in
      let end = ISOInstant.text(try now().addingTimeInterval(3600))
      #expect(try await hub.publish("{\"title\": \"An hour\", \"expires\": \"\(end)\"}").status == 201)
      #expect(try await hub.publish(#"{"title": "Over", "expires": "1s"}"#).status == 201)
      var body = ""
      repeat { body = try await hub.read().body } while body.contains("Over")
      #expect(body.contains("An hour"))
    }
  }
}
