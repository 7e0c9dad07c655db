import Foundation
import TestBasics
import Testing

@testable import Formats

@Suite struct JSONWalkTests {
  private func steps(_ text: String) -> (steps: [String], failure: JSONFailure?) {
    var steps: [String] = []
    do throws(JSONFailure) {
      try JSONReader.walk(Data(text.utf8), streaming: "list") { step in
        switch step {
        case .member(let key, let value): steps.append("\(key)=\(value.serialized())")
        case .arrayBegins: steps.append("[")
        case .element(let index, let value): steps.append("\(index):\(value.serialized())")
        }
      }
      return (steps, nil)
    } catch {
      return (steps, error)
    }
  }

  @Test(arguments: [
    (
      #"{"a": 1, "list": [1, {"x": []}, "s"], "b": [2]}"#,
      ["a=1", "[", "0:1", "1:{\"x\":[]}", "2:\"s\"", "b=[2]"]
    ),
    (#"{"list": []}"#, ["["]), (#"{}"#, []), (#"{"list": {"a": 1}}"#, ["list={\"a\":1}"]),
    (#"{"list": [1], "list": [2]}"#, ["[", "0:1", "[", "0:2"]),
  ])
  func theStepsAreThoseOfTheDocument(text: String, expected: [String]) {
    let walk = steps(text)
    #expect(walk.steps == expected)
    #expect(walk.failure == nil)
  }

  @Test(arguments: [
    (#"{"list": [1, {"a": }, 3]}"#, ["[", "0:1"], 1, 20),
    (#"{"list": [{"a": "x, 3]"#.appending("\u{1}\"}, 2]}"), ["["], 1, 23),
    (#"{"list": [1, {"a": 'x'}, 2], "b": 1}"#, ["[", "0:1"], 1, 20),
    (#"{"list": [{"a": 1} {"b": 2}]}"#, ["[", #"0:{"a":1}"#], 1, 20),
    (#"{"list": [{"a": 1} x, {"b": 2}]}"#, ["[", #"0:{"a":1}"#], 1, 20),
    (#"{"list": [1, 2,], "b": 1}"#, ["[", "0:1", "1:2"], 1, 16),
    (#"{"list": [{"a": [1, 2}, 2], "b": 1}"#, ["["], 1, 22),
    ("{\"list\": [\n{\"a\": \"x\"},\n{\"b\": \"y},\n{\"c\": 2}\n]}", ["[", #"0:{"a":"x"}"#], 3, 11),
  ])
  func aBrokenElementEndsTheWalk(text: String, expected: [String], line: Int, column: Int) {
    let walk = steps(text)
    #expect(walk.steps == expected)
    #expect(walk.failure.map { [$0.line, $0.column] } == [line, column])
    #expect(walk.failure?.isCutOff == false)
  }

  @Test func aCutDocumentYieldsWhatWasComplete() {
    let walk = steps(#"{"title": "T", "list": [{"id": 1}, {"id": 2}, {"id"#)
    #expect(walk.steps == ["title=\"T\"", "[", "0:{\"id\":1}", "1:{\"id\":2}"])
    #expect(walk.failure?.reason == .unexpectedEnd)
  }

  @Test(arguments: ["[1]", "7", "\"list\"", "", "null"])
  func onlyAnObjectCanBeWalked(text: String) {
    #expect(steps(text).failure != nil)
  }
}

/// Responses that could take long: each is read in linear time, or this suite would not end.
@Suite(.timeLimit(.minutes(HangLimit.minutes))) struct JSONHostileTests {
  private func count(_ text: String) -> Int {
    var elements = 0
    try? JSONReader.walk(Data(text.utf8), streaming: "list") { step in
      if case .element = step { elements += 1 }
    }
    return elements
  }

  @Test func bracketsThatNeverMatch() {
    let brackets = String(repeating: "[", count: 300_000) + String(repeating: "}", count: 300_000)
    #expect(count("{\"list\": [\(brackets)]}") == 0)
  }

  @Test func aMissingQuoteInALongList() {
    let list = repeatElement("{\"a\": \"b\"}", count: 50_000).joined(separator: ",\n")
    #expect(count("{\"list\": [\(list),\n{\"a\": \"b},\n\(list)]}") == 50_000)
  }

  @Test func anObjectOfAHundredThousandKeys() throws {
    let keys = (0..<100_000).map { "\"k\($0 % 60_000)\": \($0)" }.joined(separator: ",")
    #expect(try JSONReader.parse("{\(keys)}").object?.members.count == 60_000)
  }

  @Test func aThousandLanguagesAreEnough() throws {
    let languages = (0..<50_000).map { "\"l\($0)\": \"x\"" }.joined(separator: ",")
    let object = try #require(try JSONReader.parse("{\"id\": 1, \"translations\": {\(languages)}}").object)
    #expect(InAppNotificationReader.read(object).notification?.texts.count == 1000)
  }
}
