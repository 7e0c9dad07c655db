import Foundation
import HangLimit
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
        case .badElement(let index, _): steps.append("\(index):bad")
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
    (#"{"list": [1, {"a": }, 3]}"#, ["[", "0:1", "1:bad", "2:3"]),
    (#"{"list": [{"a": "x, 3]"#.appending("\u{1}\"}, 2]}"), ["[", "0:bad", "1:2"]),
    (#"{"list": [{"a": 'x'}, 2], "b": 1}"#, ["[", "0:bad", "1:2", "b=1"]),
    (#"{"list": [{"a": 1} {"b": 2}]}"#, ["[", "0:{\"a\":1}", "1:bad", "1:{\"b\":2}"]),
    (#"{"list": [{"a": 1} x, {"b": 2}]}"#, ["[", "0:{\"a\":1}", "1:bad", "2:{\"b\":2}"]),
    (#"{"list": [1, 2,], "b": 1}"#, ["[", "0:1", "1:2", "2:bad", "b=1"]),
    (#"{"list": [{"a": [1, 2}, 2], "b": 1}"#, ["[", "0:bad", "1:2", "b=1"]),
    (#"{"list": [{"a": {"b": 1, 2], "b": 1}"#, ["[", "0:bad", "b=1"]),
    ("{\"list\": [\n{\"a\": \"x},\n{\"b\": 2}\n]}", ["[", "0:bad", "1:{\"b\":2}"]),
  ])
  func badElementsLeaveTheirNeighboursAlone(text: String, expected: [String]) {
    let walk = steps(text)
    #expect(walk.steps == expected)
    #expect(walk.failure == nil)
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
  private func count(_ text: String) -> (elements: Int, bad: Int) {
    var (elements, bad) = (0, 0)
    do throws(JSONFailure) {
      try JSONReader.walk(Data(text.utf8), streaming: "list") { step in
        switch step {
        case .element: elements += 1
        case .badElement: bad += 1
        case .member, .arrayBegins: break
        }
      }
    } catch {
      bad += 1
    }
    return (elements, bad)
  }

  @Test func aHundredThousandBadElements() {
    let list = repeatElement("{x}", count: 100_000).joined(separator: ",")
    #expect(count("{\"list\": [\(list)]}") == (0, 100_000))
  }

  @Test func aQuoteMissingOnEveryLine() {
    let list = repeatElement("{\"a\": \"b}", count: 50_001).joined(separator: ",\n")
    #expect(count("{\"list\": [\(list)]}").bad > 20_000)
  }

  @Test func bracketsThatNeverMatch() {
    let brackets = String(repeating: "[", count: 300_000) + String(repeating: "}", count: 300_000)
    #expect(count("{\"list\": [\(brackets)]}").elements == 0)
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
