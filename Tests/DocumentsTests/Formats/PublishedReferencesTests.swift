import Foundation
import TestBasics
import Testing

@testable import Formats

@Suite struct PublishedReferencesTests {
  /// html5lib's cases: every name of HTML, with and without semicolon, and numbers at their limits.
  @Test(arguments: ["namedEntities.test", "numericEntities.test"])
  func publishedReferencesAreResolved(file: String) throws {
    guard let url = Corpora.find("entities/\(file)") else { return }
    let document = try JSONReader.parse(Data(contentsOf: url))
    let cases = try #require(document.object?["tests"]?.elements).compactMap(\.object)
    var failures: [String] = []
    for test in cases {
      let input = try #require(test["input"]?.text)
      let expected = (test["output"]?.elements ?? []).compactMap { $0.elements?.last?.text }.joined()
      // Our own rules: controls are dropped, and white space is collapsed.
      if expected.unicodeScalars.contains(where: { $0.value < 0x21 || (0x7F...0x9F).contains($0.value) }) {
        continue
      }
      var output: [UInt8] = []
      var copy = input
      copy.withUTF8 { CharacterReferences.decode($0, for: .text, into: &output) }
      if !output.elementsEqual(expected.utf8) { failures.append(input) }
    }
    #expect(failures == [])
    #expect(cases.count > 300)
  }
}
