import Markup
import Testing

/// Markdown as a man page.
struct ManPageWriterTests {
  private static func page(_ markdown: String) -> String {
    ManPageWriter.text(of: .markdown(markdown))
  }

  @Test func aPageHasSectionsAndParagraphs() {
    #expect(
      Self.page("# Title\n\n## The file\n\nOne, `--two` and **three**, *four*.\n\n### `[poll]`\n\nFive.")
        == """
        .SH THE FILE
        .PP
        One, \\fB\\-\\-two\\fR and \\fBthree\\fR, \\fIfour\\fR.
        .SS [poll]
        .PP
        Five.

        """)
  }

  /// A dot or a quote there would be a request of roff.
  @Test func aLineThatBeginsLikeARequestIsText() {
    #expect(Self.page(".md is a name") == ".PP\n\\&.md is a name\n")
    #expect(Self.page("```\n.TH x\n'a\\b\n```").contains("\\&.TH x\n\\&'a\\eb\n"))
    #expect(Self.page("a \\\\ b") == ".PP\na \\e b\n")
  }

  @Test func anItemWithALineBreakIsATermAndItsText() {
    #expect(
      Self.page("- `mouse` = `true`\\\n  Whether clicks\n  count.\n- plain")
        == ".TP\n\\fBmouse\\fR = \\fBtrue\\fR\nWhether clicks count.\n.IP \\(bu 2\nplain\n")
    #expect(Self.page("2. two\n3. three") == ".IP 2. 4\ntwo\n.IP 3. 4\nthree\n")
  }

  @Test func aTableIsOneOfTbl() {
    let page = Self.page("| key | |\n|---|---|\n| `j` | down |")
    #expect(page.hasPrefix(".PP\n.TS\nlw("))
    #expect(page.contains("T{\n\\fBkey\\fR\nT}\t"))
    #expect(page.hasSuffix("T{\n\\fBj\\fR\nT}\tT{\ndown\nT}\n.TE\n"))
  }

  @Test func aLinkHasItsAddressUnlessThatIsShown() {
    #expect(
      Self.page("[Swift](https://swift.example/) <https://a.example/>")
        == ".PP\nSwift (https://swift.example/) https://a.example/\n")
    // A link to another page of the documentation.
    #expect(Self.page("see [Queries](Queries.md)") == ".PP\nsee Queries\n")
  }
}
