import Basics
import Foundation
import Messages
import Testing

@testable import Banners
@testable import Formats

struct BannerJudgeTests {
  static let now = Date(timeIntervalSince1970: 1_800_000_000)

  static func environment(
    wifi: Bool = false, app: String = "4.1", os: String = "12", features: Set<String> = []
  ) -> BannerEnvironment {
    BannerEnvironment(now: now, isOnWifi: wifi, appVersion: app, osVersion: os, features: features)
  }

  private func verdict(
    _ conditions: String, state: BannerState = BannerState().launched(),
    in environment: BannerEnvironment = environment()
  ) throws -> BannerVerdict {
    let text = """
      {"b": {"entry": "main", "conditions": \(conditions), "views": {"main": {"file": "https://a.example/v.html"}}}}
      """
    let file = try ControlFileReader.read(Data(text.utf8))
    let verdicts = BannerJudge.judge(file, states: ["b": state], in: environment).verdicts
    return try #require(verdicts.first)
  }

  @Test(arguments: [
    ("{}", true), ("null", true), (#"{"any": {}, "all": {}}"#, true), (#"{"any": null}"#, true),
    (#"{"all": {"onWifi": false}}"#, true), (#"{"all": {"onWifi": true}}"#, false),
    (#"{"any": {"onWifi": true, "neverDisplayed": true}}"#, true),
    (#"{"any": {"onWifi": true, "neverDisplayed": false}}"#, false),
    (#"{"all": {"onWifi": false}, "any": {"onWifi": true}}"#, false),
    (#"{"all": {"onWifi": true}, "any": {"neverDisplayed": true}}"#, false),
    (#"{"all": {"onWifi": false}, "any": {"neverDisplayed": true}}"#, true),
    (#"{"all": {"phaseOfTheMoon": "full"}}"#, false),
    (#"{"any": {"phaseOfTheMoon": "full", "neverDisplayed": true}}"#, true),
    (#"{"all": {"neverDisplayed": "yes"}}"#, false),
    (#"{"all": {"lastDisplayMinimumSeconds": "60"}}"#, false),
    (#"{"all": {"onWifi": true, "onWifi": false}}"#, true),
    (#"{"all": {"flagNotSet": "quiet"}}"#, true), (#"{"all": {"featureEnabled": "beta"}}"#, false),
  ])
  func groupsHoldAsTheContractSays(conditions: String, holds: Bool) throws {
    #expect(try verdict(conditions).holds == holds)
  }

  @Test(arguments: [(59.0, false), (60, false), (60.9, false), (61, true)])
  func secondsSinceTheDisplayAreWholeAndStrictlyMore(passed: Double, holds: Bool) throws {
    let state = BannerState().displayed(at: Self.now.addingTimeInterval(-passed))
    #expect(try verdict(#"{"all": {"lastDisplayMinimumSeconds": 60}}"#, state: state).holds == holds)
  }

  @Test func aBannerNeverDisplayedSatisfiesTheSeconds() throws {
    #expect(try verdict(#"{"all": {"lastDisplayMinimumSeconds": 60}}"#).holds)
  }

  @Test func displayedBannersAnswerNeverDisplayed() throws {
    let state = BannerState().displayed(at: Self.now)
    #expect(try !verdict(#"{"all": {"neverDisplayed": true}}"#, state: state).holds)
    #expect(try verdict(#"{"all": {"neverDisplayed": false}}"#, state: state).holds)
  }

  @Test(arguments: [
    (0, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]), (1, [2, 4, 6, 8, 10]), (2, [3, 6, 9]), (3, [4, 8]),
  ])
  func launchesCountFromTheLastDisplay(minimum: Int, shownAt: [Int]) throws {
    var state = BannerState()
    var shown: [Int] = []
    for launch in 1...10 {
      state = state.launched()
      if try verdict(#"{"all": {"lastDisplayMinimumLaunches": \#(minimum)}}"#, state: state).holds {
        shown.append(launch)
        state = state.displayed(at: Self.now)
      }
    }
    #expect(shown == shownAt)
  }

  @Test(arguments: [
    ("true", true), ("yes", true), ("1", true), ("false", false), ("no", false), ("0", false), ("", false),
    ("maybe", false),
  ])
  func flagsAreSetAndClearedByWords(value: String, isSet: Bool) throws {
    func state(after values: String...) -> BannerState {
      var state = BannerState()
      let calls = values.map { ScriptCall.setFlag(name: "quiet", value: $0) }
      for flag in ScriptDecision(calls, views: []).flags { state.flags[flag.name] = flag.isSet }
      return state
    }
    let condition = #"{"all": {"flagNotSet": "quiet"}}"#
    #expect(try verdict(condition, state: state(after: value)).holds == !isSet)
    #expect(try verdict(condition, state: state(after: "1", value)).holds == !(isSet || value == "maybe"))
  }

  @Test func versionsAndTheirAliasAreCompared() throws {
    #expect(try verdict(#"{"all": {"appVersionLessThan": "4.2"}}"#).holds)
    #expect(try !verdict(#"{"all": {"appVersionLessThan": "4.1"}}"#).holds)
    #expect(try verdict(#"{"all": {"iOSVersionLessThan": "12.1", "osVersionLessThan": "13"}}"#).holds)
    let features = Self.environment(features: ["beta"])
    #expect(try verdict(#"{"all": {"featureEnabled": "beta"}}"#, in: features).holds)
  }

  @Test func theFirstInDocumentOrderThatHoldsAndHasItsViewIsShown() throws {
    let names = (1...10).map { "banner\($0)" }
    let members = names.map { name in
      let holds = name != "banner1" && name != "banner2"
      let entry = name == "banner3" ? "gone" : "main"
      return """
        "\(name)": {"entry": "\(entry)", "conditions": {"all": {"onWifi": \(!holds)}},
          "views": {"main": {"file": "https://a.example/\(name).html"}}}
        """
    }
    let file = try ControlFileReader.read(Data("{\(members.joined(separator: ","))}".utf8))
    #expect(file.banners.map(\.name) == names)
    let (shown, verdicts) = BannerJudge.judge(file, states: [:], in: Self.environment())
    #expect(shown == "banner4")
    #expect(verdicts.map(\.holds) == [false, false] + Array(repeating: true, count: 8))
    #expect(verdicts[2].problems.first?.message.contains("gone") == true)
  }

  @Test(arguments: [
    ("1.9", "1.10", true), ("1.10", "1.9", false), ("2.2.2", "2.4.0", true), ("1.0", "1.0.0", true),
    ("1.0.0", "1.0", false), ("1.2.0", "1.2.0-beta", true), ("", "0", true), ("", "", false),
    ("1.0", "1.0", false), ("1.99999999999999999999999", "1.100000000000000000000000", true),
    ("1.01", "1.1", false), ("1.1", "1.01", false), ("a", "b", true),
  ])
  func versionsCompareRunByRun(a: String, b: String, isLess: Bool) {
    #expect(VersionOrder.isLess(a, b) == isLess)
  }
}

struct ControlFileReaderTests {
  @Test func aMistakeNamesBannerKeyAndWhatIsAllowedAndTheOthersStay() throws {
    let text = """
      {"a": {"entry": 1, "conditions": {"some": {}}, "views": {"v": {"file": "javascript:x"}}, "colour": "red"},
       "b": 7,
       "c": {"entry": "v", "views": {"v": {"file": "https://a.example/", "height": -1, "origin": "left"}}},
       "d": {"entry": "v", "views": {"v": {"file": "https://a.example/", "height": 64, "origin": "top"}}}}
      """
    let file = try ControlFileReader.read(Data(text.utf8))
    #expect(file.banners.map(\.name) == ["a", "b", "c", "d"])
    #expect(
      file.banners[0].problems.map(\.at) == [
        "$.a.entry", "$.a.conditions.some", "$.a.views.v.file", "$.a.colour",
      ])
    #expect(file.banners[1].problems.map(\.at) == ["$.b"])
    #expect(file.banners[2].problems.map(\.at) == ["$.c.views.v.height", "$.c.views.v.origin"])
    #expect(file.banners[3].problems.isEmpty)
    #expect(file.banners[3].views == [.init(id: "v", file: "https://a.example/", height: 64, origin: .top)])
  }

  @Test func aLaterDuplicateReplacesTheEarlierInItsPlace() throws {
    let view = #""views": {"v": {"file": "https://a.example/"}}"#
    let text =
      #"{"a": {"entry": "x", \#(view)}, "b": {"entry": "v", \#(view)}, "a": {"entry": "v", \#(view)}}"#
    let file = try ControlFileReader.read(Data(text.utf8))
    #expect(file.banners.map(\.name) == ["a", "b"])
    #expect(file.banners[0].entry == "v")
  }
}
