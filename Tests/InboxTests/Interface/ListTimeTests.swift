import Basics
import Foundation
import Messages
import Screen
import Testing

@testable import Interface
@testable import Words

struct ListTimeTests {
  @Test(arguments: [
    (0, "14:00"), (50399, "00:00"), (50401, "Thu"), (-1, "14:00"), (561_600, "Sat"), (604_800, "13 Nov"),
    (27_907_200, "1 Jan"), (27_993_600, "31 Dec 25"), (662_688_000, "20 Nov 05"), (-86400, "21 Nov"),
  ])
  func aListShowsTheTimeThatMatters(age: Int, shown: String) {
    let now = ModelStore.start
    let time = WallTime(now - Double(age), in: Stage.utc)
    #expect(Words.english.listTime(time, today: WallTime(now, in: Stage.utc)).text == shown)
  }

  /// The return of a message has its hour if there is room for one.
  @Test(arguments: [(3600, "15:00"), (86_400, "Sat 14:00"), (518_400, "Thu 14:00"), (604_800, "27 Nov")])
  func aTimeToComeHasItsHour(seconds: Int, shown: String) {
    let now = ModelStore.start
    let time = WallTime(now + Double(seconds), in: Stage.utc)
    #expect(Words.english.listTime(time, today: WallTime(now, in: Stage.utc), withClock: true).text == shown)
  }

  /// When it was to be seen, not when it was written.
  @Test func aReminderHasOneTimeInListAndReader() throws {
    var store = ModelStore()
    store.addSource("reminders")
    store.add("Call Bo", age: 3 * 86400) {
      $0.content.published = nil
      $0.content.visibleFrom = ModelStore.start - 3600
    }
    var stage = Stage(amid: store, columns: 100, rows: 24)
    #expect(stage.lines.contains { $0.contains("13:00") && $0.contains("Call Bo") })
    try stage.press("enter")
    #expect(stage.screen.contains("Friday 20 November 2026, 13:00"))
  }

  @Test func theListsColumnFitsEveryDate() {
    let words = Words.english
    for day in stride(from: 0.0, to: 400, by: 1) {
      let time = WallTime(ModelStore.start - day * 86400, in: Stage.utc)
      let shown = words.listTime(time, today: WallTime(ModelStore.start, in: Stage.utc))
      #expect(shown.columns <= words.timeColumns(anyYear: true))
    }
  }

  /// Titles move to the right only if a list contains messages older than this year.
  @Test func titlesBeginWhereTheDatesOfTheListEnd() throws {
    var store = ModelStore()
    store.addSource("a")
    store.add("Now", age: 60)
    store.add("Last month", age: 40 * 86400)
    func start(_ stage: Stage) throws -> Int {
      let line = try #require(stage.lines.first { $0.contains("Now") })
      return line.distance(from: line.startIndex, to: try #require(line.firstRange(of: "Now")).lowerBound)
    }
    var options = InterfaceOptions(zone: Stage.utc)
    options.layout.rowLines = .one
    var stage = Stage(store, columns: 50, rows: 12, options: options)
    let narrow = try start(stage)
    stage.outside { $0.add("Then", age: 320 * 86400) }
    #expect(try start(stage) == narrow)
    stage.outside { $0.add("Long ago", age: 400 * 86400) }
    #expect(try start(stage) == narrow + 3)
    #expect(stage.screen.contains("16 Oct 25  Long ago"))
  }
}
