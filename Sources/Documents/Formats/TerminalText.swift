/// Cleans text that a program printed for a terminal.
package enum TerminalText {
  /// Returns the text without escape sequences (ECMA-48): colours, links, titles.
  package static func withoutEscapes(_ text: String) -> String {
    guard text.utf8.contains(0x1B) else { return text }
    return text.replacing(
      /\u{1B}(?:\[[0-?]*[ -\/]*[@-~]|\][^\u{07}\u{1B}]*(?:\u{07}|\u{1B}\\)|[ -\/]*[0-~])/
        .matchingSemantics(.unicodeScalar), with: "")
  }
}
