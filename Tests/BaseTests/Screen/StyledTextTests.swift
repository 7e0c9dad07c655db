import Screen
import Testing

@Suite struct StyledTextTests {
  private static let sample: StyledText = {
    var text = StyledText(SafeText("plain "))
    text.append("bold words", style: .bold)
    text.append(" and a ")
    text.append("link", style: .underline, link: 3)
    return text
  }()

  @Test func linesKeepStyleAndLink() {
    let lines = Self.sample.wrapped(to: 11)
    #expect(lines.map(\.plain) == ["plain bold", "words and a", "link"])
    #expect(lines[0].runs.map(\.style) == [.plain, .bold])
    #expect(lines[1].runs.map(\.text) == ["words", " and a"])
    #expect(lines[2].runs == [StyledText.Run(text: "link", style: .underline, link: 3)])
  }

  @Test func aWordInTwoStylesStaysWhole() {
    var text = StyledText("some ")
    text.append("un", style: .bold)
    text.append("believable")
    #expect(text.wrapped(to: 12).map(\.plain) == ["some", "unbelievable"])
  }

  @Test func aCutWordContinuesAfterTheMark() {
    let mark = StyledText("> ", style: .dim)
    let lines = StyledText("an incomprehensible word", style: .bold).wrapped(to: 10, continuation: mark)
    #expect(lines.map(\.plain) == ["an", "incomprehe", "> nsible", "word"])
    #expect(lines[2].runs.map(\.style) == [.dim, .bold])
    #expect(StyledText("0123456789").cut(to: 6, continuation: mark).map(\.plain) == ["012345", "> 6789"])
    #expect(StyledText("0123456789").cut(to: 5, continuation: mark).map(\.plain) == ["01234", "56789"])
  }

  @Test func aRunThatStaysWholeIsBrokenOnlyWhereItMustBe() {
    var text = StyledText("run ")
    text.append("git add", style: .bold, isWhole: true)
    text.append(" -A", style: .italic, isWhole: true)
    text.append(" now")
    #expect(text.wrapped(to: 12).map(\.plain) == ["run", "git add -A", "now"])
    #expect(text.wrapped(to: 8).map(\.plain) == ["run git", "add -A", "now"])
  }

  @Test func neighboursOfOneLookAreOneRun() {
    var text = StyledText("a")
    text.append("")
    text.append("b")
    text.append("c", link: 1)
    #expect(text.runs.count == 2)
    #expect(text.columns == 3)
    #expect(StyledText("", style: .bold).isEmpty)
  }

  @Test(arguments: [(0, ""), (1, "…"), (8, "plain b…"), (27, "plain bold words and a link")])
  func longTextEndsWithAnEllipsis(_ columns: Int, _ expected: String) {
    #expect(Self.sample.truncated(to: columns, ellipsis: "…").plain == expected)
  }

  @Test func theEllipsisLooksLikeWhatItCuts() {
    #expect(Self.sample.truncated(to: 8, ellipsis: "…").runs.last?.style == .bold)
  }

  @Test(arguments: [
    ("  a b  c", 3, ["  a", " b ", " c"]), ("中文字", 3, ["中", "文", "字"]), ("", 3, [""]), ("abc", 0, []),
  ])
  func codeIsCutWhereTheLineEnds(_ source: String, _ columns: Int, _ expected: [String]) {
    #expect(StyledText(SafeText(untrusted: source)).cut(to: columns).map(\.plain) == expected)
  }
}
