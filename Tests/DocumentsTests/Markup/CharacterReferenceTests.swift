import Foundation
import Markup
import Screen
import TestBasics
import Testing

/// html5lib's character references as shown: resolved by HTML 5, then sanitized.
@Suite struct CharacterReferenceTests {
  private static let numericReferences = Corpora.find("entities/numericEntities.test")
  private static let namedReferences = Corpora.find("entities/namedEntities.test")

  private struct Suite: Decodable {
    var tests: [Case]
  }

  private struct Case: Decodable {
    var input: String
    var output: [[String]]

    var text: String { output.map { $0.last ?? "" }.joined() }
  }

  private func cases(_ file: URL?) throws -> [Case] {
    try JSONDecoder().decode(Suite.self, from: Data(contentsOf: #require(file))).tests
  }

  private func shown(_ html: String) -> String {
    Document.html("<p>" + html + "|", base: nil).layout(width: 200).map(\.plain).joined(separator: "\n")
  }

  private func expected(_ text: String) -> String {
    let words = (text + "|").split {
      $0 == " " || $0 == "\t" || $0 == "\n" || $0 == "\r\n" || $0 == "\r" || $0 == "\u{C}"
    }
    return words.map { SafeText(untrusted: String($0)).text }.joined(separator: " ")
  }

  @Test(
    .enabled(
      if: numericReferences != nil,
      "skipped: no entities/numericEntities.test in REDDOT_CORPORA or ../shared/data"))
  func numbersMeanWhatHTML5Says() throws {
    let cases = try cases(Self.numericReferences)
    #expect(cases.count > 300)
    // A vertical tab ends a line in plain text, and is a control here.
    for test in cases where test.text != "\u{B}" {
      #expect(shown(test.input) == expected(test.text), "\(test.input)")
    }
  }

  @Test(
    .enabled(
      if: namedReferences != nil,
      "skipped: no entities/namedEntities.test in REDDOT_CORPORA or ../shared/data"))
  func namesMeanWhatHTML5SaysOrStayAsTheyAre() throws {
    var right = 0
    for test in try cases(Self.namedReferences) {
      let text = shown(test.input)
      if text == expected(test.text) { right += 1 }
      #expect(text == expected(test.text) || text == expected(test.input), "\(test.input)")
    }
    // All names of HTML 4, and other common ones; the rest are mathematical.
    #expect(right > 2300)
  }
}
