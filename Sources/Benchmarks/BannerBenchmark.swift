import Banners
import Formats
import Foundation

/// A control file of 1,000 banners.
struct BannerBenchmark {
  func run(into table: inout ResultTable) throws {
    let banners = (0..<1000).map { index in
      """
      "banner\(index)": {"entry": "main", "conditions": {"all": {"lastDisplayMinimumLaunches": 3, "onWifi": true, \
      "appVersionLessThan": "4.\(index)"}, "any": {"neverDisplayed": true, "flagNotSet": "quiet"}}, \
      "views": {"main": {"file": "https://example.org/\(index).html", "height": 64}}}
      """
    }
    let bytes = Data("{\(banners.joined(separator: ","))}".utf8)
    let environment = BannerEnvironment(
      now: Date(), isOnWifi: true, appVersion: "4.500", osVersion: "12")
    var times = Times()
    for _ in 0..<20 {
      let start = ContinuousClock.now
      let file = try ControlFileReader.read(bytes)
      if BannerJudge.judge(file, states: [:], in: environment).verdicts.count != 1000 {
        note("verdicts are missing")
      }
      times.add(ContinuousClock.now - start)
    }
    table.add("a control file of 1,000 banners read and judged", text(times.median), goal: "≤ 5 ms")
  }
}
