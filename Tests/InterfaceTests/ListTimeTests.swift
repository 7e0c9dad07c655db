import Dates
import Foundation
import Screen
import Testing
import Translations

@testable import Interface

struct ListTimeTests {
  @Test(arguments: [
    (0, "14:00"), (50399, "00:00"), (50401, "Thu"), (-1, "14:00"), (561_600, "Sat"), (604_800, "13 Nov"),
    (27_907_200, "1 Jan"), (27_993_600, "2025"), (-86400, "21 Nov"),
  ])
  func aListShowsTheTimeThatMatters(age: Int, shown: String) {
    let now = ModelStore.start
    let time = WallTime(now - Double(age), in: Stage.utc)
    #expect(Words.english.listTime(time, today: WallTime(now, in: Stage.utc)).text == shown)
  }

  @Test func theListsColumnFitsEveryDate() {
    let words = Words.english
    for day in stride(from: 0.0, to: 400, by: 1) {
      let time = WallTime(ModelStore.start - day * 86400, in: Stage.utc)
      let shown = words.listTime(time, today: WallTime(ModelStore.start, in: Stage.utc))
      #expect(shown.columns <= words.timeColumns)
    }
  }
}
