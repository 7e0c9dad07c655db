import Basics
import Foundation
import TestBasics
import Testing

@testable import Formats

@Suite struct JSONReaderTests {
  @Test func anObjectHasAtMostAHundredThousandKeys() throws {
    func object(_ keys: Int) -> String {
      "{" + (0..<keys).map { "\"k\($0)\":0" }.joined(separator: ",") + "}"
    }
    #expect(try JSONReader.parse(object(Limits.jsonMembers)).object?.members.count == Limits.jsonMembers)
    let failure = #expect(throws: JSONFailure.self) {
      try JSONReader.parse("[\(object(Limits.jsonMembers + 1))]")
    }
    #expect("\(failure.map { "\($0.reason)" } ?? "")" == "more than 100000 keys in one object")
  }

  @Test func keysKeepTheirOrder() throws {
    let value = try JSONReader.parse(#"{"b": 1, "a": 2, "c": {"z": 0, "y": 0}}"#)
    #expect(value.serialized() == #"{"b":1,"a":2,"c":{"z":0,"y":0}}"#)
  }

  @Test func aLaterDuplicateReplacesTheEarlierInItsPlace() throws {
    let value = try JSONReader.parse(#"{"a": 1, "b": 2, "a": 3}"#)
    #expect(value.serialized() == #"{"a":3,"b":2}"#)
  }

  @Test func aLaterDuplicateReplacesTheEarlierInALargeObjectToo() throws {
    let keys = (0..<5000).map { "\"key\($0)\": \($0)" }
    let text = "{" + (keys + ["\"key7\": \"new\"", "\"key4999\": \"last\""]).joined(separator: ",") + "}"
    let object = try #require(try JSONReader.parse(text).object)
    #expect(object.members.count == 5000)
    #expect(object.members[7] == .init(key: "key7", value: .string("new")))
    #expect(object["key4999"] == .string("last"))
  }

  @Test func keysThatOnlyUnicodeHoldsEqualAreTwo() throws {
    let object = try #require(try JSONReader.parse("{\"\u{E9}\": 1, \"e\u{301}\": 2}").object)
    #expect(object.members.count == 2)
    #expect(object["e\u{301}"] == .number("2"))
  }

  @Test(arguments: ["0", "-0", "1.0", "1E+2", "123456789012345678901234567890", "-0.10e-3"])
  func numbersKeepTheirSpelling(spelled: String) throws {
    #expect(try JSONReader.parse(spelled) == .number(spelled))
  }

  @Test(arguments: [
    (#""\u00e9\n\/\\\"""#, "\u{E9}\n/\\\""), (#""\ud83d\ude00""#, "😀"),
    (
      #""a long text without any escape, but with é in it""#,
      "a long text without any escape, but with é in it"
    ),
    (#""\ud83d""#, "\u{FFFD}"), (#""\ude00x""#, "\u{FFFD}x"), (#""\ud83d\u0041""#, "\u{FFFD}A"),
    (#""\u0000""#, "\0"),
  ])
  func stringsAreUnescaped(json: String, text: String) throws {
    #expect(try JSONReader.parse(json) == .string(text))
  }

  @Test func aByteOrderMarkIsSkipped() throws {
    #expect(try JSONReader.parse(Data([0xEF, 0xBB, 0xBF]) + Data("[1]".utf8)) == .array([.number("1")]))
  }

  @Test(arguments: [
    ("", 1, 1, JSONFailure.Reason.empty), (" \n ", 2, 2, .empty), ("[1,\n 2", 2, 3, .unexpectedEnd),
    ("{\"é\": tru}", 1, 7, .unexpected("an unknown word", expected: "a value")),
    ("[1,]", 1, 4, .unexpected("\"]\"", expected: "a value")),
    ("[01]", 1, 3, .badNumber), ("[1 2]", 1, 4, .unexpected("\"2\"", expected: "a comma or ]")),
    ("\r\n\r\n{a: 1}", 3, 2, .unexpected("\"a\"", expected: "a key in quotes")),
    ("[\"a\tb\"]", 1, 4, .controlCharacter(9)), ("[\"\\x\"]", 1, 3, .badEscape),
    ("[1]\n[2]", 2, 1, .textAfterEnd),
    ("\u{A0}1", 1, 1, .unexpected("a character outside ASCII", expected: "a value")),
  ])
  func aFailureSaysWhereAndWhy(text: String, line: Int, column: Int, reason: JSONFailure.Reason) {
    #expect(throws: JSONFailure(line: line, column: column, reason: reason)) { try JSONReader.parse(text) }
  }

  @Test func bytesThatAreNotUTF8AreRefusedAtTheirPlace() {
    let bytes = Data("[\"ab".utf8) + Data([0xC3, 0x28]) + Data("\"]".utf8)
    #expect(throws: JSONFailure(line: 1, column: 5, reason: .notUTF8)) { try JSONReader.parse(bytes) }
    #expect(throws: JSONFailure(line: 1, column: 1, reason: .otherEncoding)) {
      try JSONReader.parse(Data([0xFF, 0xFE, 0x5B, 0, 0x5D, 0]))
    }
  }

  @Test func depthIsLimited() throws {
    let deepest = String(repeating: "[", count: 512) + String(repeating: "]", count: 512)
    _ = try JSONReader.parse(deepest)
    #expect(throws: JSONFailure(line: 1, column: 513, reason: .tooDeep(limit: 512))) {
      try JSONReader.parse("[" + deepest + "]")
    }
  }

  @Test func cutAtAnyLengthItSaysThatItEndedEarly() {
    let text = #"{"a": [1.5e3, true, null, "x\u00e9\n"], "b": {"c": -0.1, "d": false}}"#
    for length in 1..<text.utf8.count {
      let cut = Data(text.utf8.prefix(length))
      #expect(throws: JSONFailure.self) { try JSONReader.parse(cut) }
      do throws(JSONFailure) { _ = try JSONReader.parse(cut) } catch {
        #expect(error.isCutOff, "\(length): \(error)")
      }
    }
  }

  @Test func noMutationTraps() throws {
    let original = Array(#"{"list": [{"id": 1, "a": "é\ud83d\ude00"}, [1e5, -2.0], "x"], "t": null}"#.utf8)
    var random = SeededRandom(seed: 5)
    func next() -> Int { Int(random.next() >> 33) }
    for _ in 0..<5_000 {
      var bytes = original
      for _ in 0...(next() % 3) { bytes[next() % bytes.count] = UInt8(next() & 0xFF) }
      let value = try? JSONReader.parse(Data(bytes))
      if let value { #expect(try JSONReader.parse(Data(value.serialized().utf8)) == value) }
      let isWalked = (try? JSONReader.walk(Data(bytes), streaming: "list") { _ in }) != nil
      // A document that can be parsed can also be walked.
      if value?.object != nil { #expect(isWalked) }
    }
  }
}

@Suite struct JSONWriterTests {
  @Test func slashesAreNotEscaped() {
    #expect(JSONValue.string("</a>").serialized() == #""</a>""#)
  }

  @Test func controlsAreEscaped() {
    #expect(JSONValue.string("\u{1B}\t\"\\\u{7F}").serialized() == "\"\\u001b\\t\\\"\\\\\u{7F}\"")
  }

  @Test func whatATerminalWouldActOnIsEscapedOnRequest() {
    let text = "\u{7F}\u{9B}\u{202E}\u{2066}\u{E0041}é"
    #expect(
      JSONValue.string(text).serialized(escaping: .invisible)
        == #""\u007f\u009b\u202e\u2066\udb40\udc41é""#)
  }

  @Test func prettyTextHasALineForEachMember() throws {
    let value = try JSONReader.parse(#"{"a":[],"b":[1,{"c":{}}]}"#)
    #expect(
      value.serialized(pretty: true) == """
        {
          "a": [],
          "b": [
            1,
            {
              "c": {}
            }
          ]
        }
        """)
  }
}
