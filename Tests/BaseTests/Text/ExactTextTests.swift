import Basics
import Platform
import Testing

/// Text in which a combining mark hides a character from Swift, but not from other programs.
struct ExactTextTests {
  /// A real shell reads each word unchanged.
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
    #expect(bytes("a'\u{301}b''".replacingBytes("'", with: "\"")) == bytes("a\"\u{301}b\"\""))
    #expect(bytes("x\r\ny\r\n".replacingBytes("\n", with: "|")) == bytes("x\r|y\r|"))
    #expect("aaa".replacingBytes("aa", with: "b", maxReplacements: 1) == "ba")
    #expect("é".replacingBytes("e", with: "x") == "é" && "abc".replacingBytes("", with: "x") == "abc")
    #expect("a/\u{301}b//c".split(onBytes: "/").map(bytes) == ["a", "\u{301}b", "c"].map(bytes))
    #expect("a=b=c".split(onBytes: "=", maxSplits: 1) == ["a", "b=c"])
    #expect("/a/".split(onBytes: "/", omittingEmptySubsequences: false) == ["", "a", ""])
    #expect("one\r\ntwo\n\nthree\r".exactLines.map(bytes) == ["one", "two", "", "three"].map(bytes))
    #expect(bytes("<\u{338}a b=\"\u{301}&".markupEscaped) == bytes("&lt;\u{338}a b=&quot;\u{301}&amp;"))
  }
}
