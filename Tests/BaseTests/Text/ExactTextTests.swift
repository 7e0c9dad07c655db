import Basics
import Platform
import Testing

/// Texts in which a combining mark hides a sign from Swift, and from nobody else.
struct ExactTextTests {
  /// A real shell reads each word as it was.
  @Test func aWordStaysOneWordInAShell() async throws {
    let words = [
      "", "plain", "it's", "a'\u{301}; echo stolen; '\u{301}", "\"\u{301}$(id)\"", "\\'\u{338}",
      "two\r\nlines\n",
      "-n",
    ]
    let program = Program(
      ["/bin/sh", "-c", "printf '%s|' " + ShellWord.line(words)], environment: [:], outputLimit: 1 << 16,
      deadline: .seconds(30))
    let output = try await ProgramRunner().run(program)
    #expect(output.elementsEqual(words.map { $0 + "|" }.joined().utf8))
  }

  @Test func partsAreComparedByBytes() {
    func bytes(_ text: some StringProtocol) -> [UInt8] { Array(text.utf8) }
    #expect(bytes("a'\u{301}b''".replacing(exactly: "'", with: "\"")) == bytes("a\"\u{301}b\"\""))
    #expect(bytes("x\r\ny\r\n".replacing(exactly: "\n", with: "|")) == bytes("x\r|y\r|"))
    #expect("aaa".replacing(exactly: "aa", with: "b", maxReplacements: 1) == "ba")
    #expect("é".replacing(exactly: "e", with: "x") == "é" && "abc".replacing(exactly: "", with: "x") == "abc")
    #expect("a/\u{301}b//c".split(exactly: "/").map(bytes) == ["a", "\u{301}b", "c"].map(bytes))
    #expect("a=b=c".split(exactly: "=", maxSplits: 1) == ["a", "b=c"])
    #expect("/a/".split(exactly: "/", omittingEmptySubsequences: false) == ["", "a", ""])
    #expect("one\r\ntwo\n\nthree\r".exactLines.map(bytes) == ["one", "two", "", "three"].map(bytes))
    #expect(bytes("<\u{338}a b=\"\u{301}&".markupEscaped) == bytes("&lt;\u{338}a b=&quot;\u{301}&amp;"))
  }
}
