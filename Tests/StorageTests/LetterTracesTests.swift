import GRDB
import Testing

@testable import Queries
@testable import Storage

/// Whether a text can have a word is told from its letters alone, and must never be told wrongly: the tokenizer decides
/// what a word is.
@Suite struct LetterTracesTests {
  private func tokenizer() throws -> SearchTokenizer {
    try DatabaseQueue().read { try SearchTokenizer($0) }
  }

  /// The words of each text that it would be said not to have.
  private func missing(in text: String, _ tokenizer: SearchTokenizer) -> [String] {
    let traces = LetterTraces(text)
    let words = tokenizer.tokens(of: text)
    return (0..<words.count).filter { index in
      LetterTraces.Word(words[index]).map { !traces.mayHave($0) } ?? false
    }.map { words.words[$0] }
  }

  /// Folding takes marks off letters and makes plain ones of others, so every character is tried between letters.
  @Test func everyCharacterIsAllowedFor() throws {
    let tokenizer = try tokenizer()
    var wrong: [String] = []
    // Characters of one block begin with the same bytes, and are told from each other by nothing else.
    for block in stride(from: UInt32(0), to: 0x11_0000, by: 64) {
      var text = ""
      for value in block..<block + 64 {
        guard let scalar = Unicode.Scalar(value) else { continue }
        text += "abc"
        text.unicodeScalars.append(scalar)
        text += "def "
      }
      wrong += missing(in: text, tokenizer).map { "\($0) in the block of U+\(String(block, radix: 16))" }
    }
    #expect(wrong.isEmpty, "\(wrong.prefix(5))")
  }

  @Test(
    arguments: [
      "Build 4711 FAILED: linker-error", "Ångström caf\u{65}\u{301}", "ＲＥＬＥＡＳＥ17", "消息release中心",
      "\u{212A}ernel panic", "I\u{0307}stanbul", "“quoted” – and… more", "a\u{0}bc\u{0}defg", "",
    ])
  func itsOwnWordsAreThere(_ text: String) throws {
    #expect(try missing(in: text, tokenizer()) == [])
  }

  @Test func wordsThatAreNotThereAreTold() {
    let traces = LetterTraces("Build 4711 failed: release notes")
    for word in ["outage17", "release18", "deploy", "robot"] {
      #expect(LetterTraces.Word(Array(word.utf8)[...]).map(traces.mayHave) == false)
    }
    #expect(LetterTraces.Word(Array("ab".utf8)[...]) == nil)
  }
}
