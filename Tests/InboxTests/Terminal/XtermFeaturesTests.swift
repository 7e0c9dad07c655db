import Testing

@testable import Terminal

@Suite struct XtermFeaturesTests {
  private let xterm = XtermFeatures(terminalType: "xterm-256color", hasExtensions: false, usesMouse: true)
  private let console = XtermFeatures(terminalType: "linux", hasExtensions: false, usesMouse: true)

  @Test func onlyTerminalsLikeXtermGetItsSequences() {
    #expect(
      [
        console.enter, console.leave, console.title("a"), console.pushTitle, console.popTitle,
        console.frameMarks.begin, console.frameMarks.end,
      ] == Array(repeating: "", count: 7))
    #expect(console.copy("a", base64: { _ in "" }) == nil)
    for type in ["screen-256color", "rxvt", "vte-256color"] {
      let features = XtermFeatures(terminalType: type, hasExtensions: true, usesMouse: true)
      #expect(features.copy("a", base64: { _ in "" }) == nil, "\(type)")
    }
    #expect(XtermFeatures(terminalType: "dvtm", hasExtensions: true, usesMouse: false).isXtermLike)
    #expect(
      !XtermFeatures(terminalType: "dvtm", hasExtensions: true, usesMouse: false).enter.contains("1000"))
  }

  @Test(arguments: ["a\u{7}b", "a\u{1B}\\b", "a\u{9C}b", "a\nb", "a\u{7F}b"])
  func aTitleCannotEndItsSequence(text: String) {
    let title = xterm.title(text)
    #expect(title.hasPrefix("\u{1B}]2;a"))
    let inside = title.dropFirst(4).dropLast()
    #expect(inside.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) })
    #expect(title.last == "\u{7}")
  }

  @Test func aLongTitleIsCutBetweenCharacters() {
    #expect(
      xterm.title(String(repeating: "日", count: 1000))
        == "\u{1B}]2;\(String(repeating: "日", count: 170))\u{7}")
  }
}
