import Basics
import Formats
import Foundation
import TestBasics
import Testing

struct NativeLinesReaderTests {
  private func read(_ text: String) throws -> NativePage {
    try NativeLinesReader.read(Data(text.utf8))
  }

  @Test func onlyTheLineFeedEndsALine() throws {
    let page = try read(
      "\u{FEFF}{\"id\": 1, \"title\": \"a\u{2028}b\u{85}c\"}\r\n\n \t\r\n{\"id\": \"x\"}\n{\"id\": 2}"
    )
    #expect(page.items.map(\.id.text) == ["1", "x", "2"])
    #expect(page.problems == [] && page.isComplete)
    // One id is a string: the order decides.
    #expect(page.newestID?.text == "2")
    guard case .plain(let item) = page.items[0] else {
      Issue.record("not a plain item")
      return
    }
    #expect(item.title == "a\u{2028}b\u{85}c")
  }

  @Test func aBadLineNamesItsNumber() throws {
    let page = try read(
      "{\"id\": 5}\n\nnonsense\n[]\n{\"title\": \"x\"}\n{\"id\": 7, \"tags\": [1], \"odd\": 1}")
    #expect(page.items.map(\.id.text) == ["5", "7"] && page.newestID?.text == "7")
    #expect(page.problems.map(\.at) == ["3", "4", "5", "6"])
    #expect(page.problems[3].message == "tags[0] must be a string, not the number 1")
    #expect(page.unknownKeys == ["$.odd"])
  }

  @Test func linesWithoutAnyJSONAreAFailureAndNoLinesAreNone() throws {
    #expect(throws: JSONFailure.self) { try read("a\nb") }
    let failure = #expect(throws: JSONFailure.self) { try read("\n\n{\n}") }
    #expect(failure?.line == 3)
    #expect(try read("").items.isEmpty)
    #expect(try read("\n \n").problems.isEmpty)
  }

  @Test func whatIsCutOrMutatedNeverTraps() throws {
    let whole = Data(
      """
      {"id": 1, "title": "ü", "tags": ["a"], "actions": [{"label": "l", "url": "u"}]}
      {"id": 2, "aps": {"alert": {"title": "t"}}}
      {"id": 3, "epoch": "2026-11-20T08:00:00Z", "actiondata": {"translations": {"en": {"title": "T"}}}}
      """.utf8)
    var read = 0
    for length in 0...whole.count {
      if let page = try? NativeLinesReader.read(whole.prefix(length)) { read += page.items.count }
    }
    var random = SeededRandom(seed: 18)
    for _ in 0..<2000 {
      var bytes = whole
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(
          in: 0...255, using: &random)
      }
      if let page = try? NativeLinesReader.read(bytes) { read += page.items.count }
    }
    #expect(read > 1000)
  }

  @Test func manyLinesCostNoMoreThanTheirAllowance() throws {
    let allowance = Allowance(documentBytes: 0)
    let lines = Data(String(repeating: "{\"id\":1}\n", count: 300_000).utf8)
    let page = try NativeLinesReader.read(lines, allowance: allowance)
    #expect(!page.isComplete && page.problems.last?.message == allowance.sentence)
    #expect(page.items.count <= allowance.limit / Limits.itemBytes)
  }
}
