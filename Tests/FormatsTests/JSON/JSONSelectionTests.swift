import Foundation
import SeededRandom
import Testing

@testable import Formats

/// A walk that keeps only some members reads as strictly as one that keeps all, and finds the same in them.
@Suite struct JSONSelectionTests {
  private static let selection = JSONSelection(
    "id", "tags", inner: ["feed": JSONSelection("title", inner: ["of": JSONSelection("name")])])

  private func walk(_ bytes: Data, _ selection: JSONSelection) -> [String] {
    var steps: [String] = []
    do throws(JSONFailure) {
      try JSONReader.walk(bytes, streaming: "list", selecting: selection) { step in
        switch step {
        case .member(let key, let value): steps.append("\(key)=\(value.serialized())")
        case .arrayBegins: steps.append("[")
        case .element(let index, let value):
          steps.append("\(index):\((selection.whole == .all ? Self.selected(value) : value).serialized())")
        case .badElement(let index, let failure): steps.append("\(index):bad \(failure)")
        }
      }
    } catch {
      steps.append("failed \(error)")
    }
    return steps
  }

  /// The same as the selection, of a value that was read whole.
  private static func selected(_ value: JSONValue) -> JSONValue {
    filter(value) { key, value in
      switch key {
      case "id", "tags": value
      case "feed":
        filter(value) { key, value in
          switch key {
          case "title": value
          case "of": filter(value) { key, value in key == "name" ? value : nil }
          default: nil
          }
        }
      default: nil
      }
    }
  }

  private static func filter(_ value: JSONValue, _ member: (String, JSONValue) -> JSONValue?) -> JSONValue {
    switch value {
    case .object(let object):
      .object(
        JSONObject(
          object.members.compactMap { entry in
            member(entry.key, entry.value).map { JSONObject.Member(key: entry.key, value: $0) }
          }))
    case .array(let elements): .array(elements.map { filter($0, member) })
    case .null, .bool, .number, .string: value
    }
  }

  @Test(arguments: [
    (#"{"x": 1, "id": 7, "y": {"id": 8}, "tags": ["a", {"b": 1}]}"#, #"{"id":7,"tags":["a",{"b":1}]}"#),
    (
      #"{"feed": {"title": "T", "of": {"a": [], "name": "n"}}}"#, #"{"feed":{"title":"T","of":{"name":"n"}}}"#
    ),
    (#"{"feed": [{"title": "A", "z": 0}, null, "s", 3]}"#, #"{"feed":[{"title":"A"},null,"s",3]}"#),
    (#"{"id": 1, "other": 2, "id": 3}"#, #"{"id":3}"#),
    (#"{"\u0069d": 1, "i\u0064x": 2, "Id": 3, "id ": 4}"#, #"{"id":1}"#),
    (#"{"feed": {"id": 1}}"#, #"{"feed":{}}"#), ("7", "7"), (#""id""#, #""id""#),
    (#"[{"id": 1, "x": 2}]"#, #"[{"id":1}]"#), ("{}", "{}"),
  ])
  func onlyWhatIsAskedForIsKept(element: String, expected: String) {
    #expect(walk(Data("{\"list\":[\(element)]}".utf8), Self.selection) == ["[", "0:\(expected)"])
  }

  @Test(arguments: [
    #""\x""#, "\"\u{1}\"", "01", "1.", "tru", "[1,]", #"{"a" 1}"#, "{a: 1}", "{\"a\": 1,}", "[", #"{"a": "b"#,
    "",
    #""\ud8""#, String(repeating: "[", count: 600) + String(repeating: "]", count: 600),
  ])
  func whatIsNotAskedForMustBeJSONToo(value: String) {
    let text = #"{"list": [{"id": 1, "other": \#(value), "tags": []}, {"id": 2}], "after": 1}"#
    let strict = walk(Data(text.utf8), .all)
    #expect(strict != walk(Data(#"{"list": [{"id": 1, "tags": []}, {"id": 2}], "after": 1}"#.utf8), .all))
    #expect(walk(Data(text.utf8), Self.selection) == strict)
  }

  @Test(arguments: [
    (#"{"list": [{"other": ""#, #""}]}"#), (#"{"list": [{""#, #"": 1}]}"#),
    (#"{"list": [{"a\n"#, #"": 1}]}"#),
  ])
  func bytesOutsideUTF8AreFoundInWhatIsSkipped(before: String, after: String) {
    for bad: [UInt8] in [[0xFF], [0xC3], [0xED, 0xA0, 0x80], [0xC0, 0xAF]] {
      let bytes = Data(before.utf8 + bad + Array(after.utf8))
      let found = walk(bytes, Self.selection)
      #expect(found == walk(bytes, .all))
      #expect(found.contains { $0.contains("not UTF-8") }, "\(found)")
    }
  }

  @Test func anyDamageIsFoundInTheSamePlace() {
    let original = Array(
      #"{"list": [{"id": 1, "é": "é\ud83d\ude00", "feed": {"x": [1e5, {"title": 1}], "title": "T"}}, {"id": 2, "tags": [null]}], "t": null}"#
        .utf8)
    var random = SeededRandom(seed: 11)
    func next() -> Int { Int(random.next() >> 33) }
    let signs = Array(#"{}[]",:\0n "#.utf8)
    for _ in 0..<5_000 {
      var bytes = original
      for _ in 0...(next() % 3) {
        bytes[next() % bytes.count] = next() % 2 == 0 ? signs[next() % signs.count] : UInt8(next() & 0xFF)
      }
      #expect(
        walk(Data(bytes), Self.selection) == walk(Data(bytes), .all),
        "\(String(decoding: bytes, as: UTF8.self))")
    }
  }
}
