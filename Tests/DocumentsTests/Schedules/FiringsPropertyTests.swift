import Basics
import Foundation
import TestBasics
import Testing

@testable import Calendars

struct FiringsPropertyTests {
  static let zones = [
    "UTC", "Europe/London", "America/New_York", "Australia/Lord_Howe", "Pacific/Apia", "Asia/Kolkata",
    "America/St_Johns", "Africa/Casablanca", "Antarctica/Troll", "Asia/Shanghai",
  ]

  struct Sample {
    var recurrence: Recurrence
    var zone: ZoneClock
    var reference: Date
  }

  static func sample(_ seed: UInt64) throws -> Sample {
    var random = SeededRandom(seed: seed)
    let name = zones.randomElement(using: &random) ?? "UTC"
    let zone = try #require(ZoneClock(named: name))
    let second = Int.random(in: 0..<1440, using: &random) * 60
    let start: Recurrence.Start =
      switch Int.random(in: 0..<4, using: &random) {
      case 0: .at(WallTime(dayNumber: Int.random(in: 14_600...21_900, using: &random), second: second))
      case 1: .weekdays([Int.random(in: 1...7, using: &random)], second: second)
      case 2: .dayOfMonth(Int.random(in: 1...31, using: &random), second: second)
      case _: .timeOfDay(second: second)
      }
    let step: Recurrence.Step =
      switch Int.random(in: 0..<4, using: &random) {
      case 0: .once
      case 1: .seconds([1, 60, 3600].randomElement(using: &random) ?? 1)
      case 2: .days(Int.random(in: 1...40, using: &random))
      case _: .months([1, 3, 12].randomElement(using: &random) ?? 1)
      }
    let end: Recurrence.End =
      switch Int.random(in: 0..<4, using: &random) {
      case 0: .never
      case 1: .count(Int.random(in: 1...30, using: &random))
      case 2: .through(CivilDate(dayNumber: Int.random(in: 19_000...22_000, using: &random)))
      case _:
        .before(months: Int.random(in: 0...14, using: &random), days: Int.random(in: 1...60, using: &random))
      }
    let reference = Date(
      timeIntervalSince1970: Double(Int.random(in: 1_400_000_000...1_900_000_000, using: &random)))
    return Sample(
      recurrence: Recurrence(start: start, step: step, end: end), zone: zone, reference: reference)
  }

  @Test(arguments: [UInt64](0..<400))
  func firingsIncreaseStrictlyAndNextAgreesWithTheSequence(seed: UInt64) throws {
    let sample = try Self.sample(seed)
    let firings = Firings(sample.recurrence, zone: sample.zone, reference: sample.reference)
    let all = Array(firings.prefix(40))
    for (earlier, later) in zip(all, all.dropFirst()) {
      #expect(earlier.instant < later.instant)
      #expect(earlier.index < later.index)
      #expect(firings.next(after: earlier.instant) == later)
      #expect(firings.next(from: later.instant) == later)
      #expect(firings.next(after: later.instant.addingTimeInterval(-1)) == later)
      #expect(firings.last(through: later.instant) == later)
      #expect(firings.last(through: later.instant.addingTimeInterval(-1)) == earlier)
    }
    if let first = all.first {
      #expect(firings.last(through: first.instant.addingTimeInterval(-1)) == nil)
      #expect(firings.next(from: .distantPast) == first)
    }
  }

  @Test(arguments: [UInt64](0..<400))
  func theEndIsRespected(seed: UInt64) throws {
    let sample = try Self.sample(seed)
    let firings = Firings(sample.recurrence, zone: sample.zone, reference: sample.reference)
    let all = Array(firings.prefix(40))
    switch sample.recurrence.end {
    case .never: if sample.recurrence.step != .once { #expect(all.count == 40) }
    case .count(let count):
      #expect(all.count <= count)
      if sample.recurrence.step != .once { #expect(all.count == min(40, count)) }
    case .through(let date): for firing in all { #expect(sample.zone.wall(at: firing.instant).date <= date) }
    case .before(let months, let days):
      guard let first = all.first else { return }
      let wall = sample.zone.wall(at: first.instant)
      let bound = wall.date.adding(months: months).dayNumber + days + 4
      for firing in all { #expect(sample.zone.wall(at: firing.instant).dayNumber <= bound) }
    }
  }

  @Test(arguments: [UInt64](0..<400))
  func daysAndLongerKeepTheWallTime(seed: UInt64) throws {
    let sample = try Self.sample(seed)
    switch sample.recurrence.step {
    case .once, .seconds: return
    case .days, .months: break
    }
    let firings = Firings(sample.recurrence, zone: sample.zone, reference: sample.reference)
    let walls = firings.prefix(40).map { sample.zone.wall(at: $0.instant) }
    // In a gap, the wall time is later; there are few such firings.
    let usual = Dictionary(grouping: walls, by: \.second).max { $0.value.count < $1.value.count }?.key
    #expect(walls.filter { $0.second != usual }.count <= max(2, walls.count / 10))
  }

  /// Several weekdays fire as each of them alone would, one after the other.
  @Test(arguments: [UInt64](0..<200))
  func severalWeekdaysAreEachOfThem(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let sample = try Self.sample(seed)
    let days = Set((0..<4).map { _ in Int.random(in: 1...7, using: &random) })
    let second = Int.random(in: 0..<1440, using: &random) * 60
    func firings(_ days: Set<Int>, weeks: Int) -> Firings {
      let recurrence = Recurrence(start: .weekdays(days, second: second), step: .days(7 * weeks))
      return Firings(recurrence, zone: sample.zone, reference: sample.reference)
    }
    let together = firings(days, weeks: 1).prefix(40).map(\.instant)
    let alone = days.flatMap { firings([$0], weeks: 1).prefix(40).map(\.instant) }.sorted()
    #expect(together == Array(alone.prefix(40)))
    // Every other week: the days of one week, then none for a week.
    let fortnights = firings(days, weeks: 2)
    let two = fortnights.prefix(3 * days.count).map(\.instant)
    #expect(Array(two.prefix(days.count)) == Array(together.prefix(days.count)))
    #expect(two.dropFirst(days.count).first == together.dropFirst(2 * days.count).first)
    for (earlier, later) in zip(two, two.dropFirst()) {
      #expect(fortnights.next(after: earlier)?.instant == later)
      #expect(fortnights.last(through: later - 1)?.instant == earlier)
    }
  }
}
