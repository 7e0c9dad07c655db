import Basics
import Markup
import Screen
import Testing

@Suite struct MarkdownDocumentTests {
  private func shown(_ text: String, _ width: Int = 60) -> [String] {
    Document.markdown(text).layout(width: width, listsLinks: false).map(\.plain)
  }

  @Test(arguments: [
    ("one\ntwo\n\nthree", ["one two", "", "three"]), ("# Head #\ntext", ["Head", "", "text"]),
    ("Head\n====\nx", ["Head", "", "x"]), ("#no", ["#no"]),
    ("a  \nb\\\nc", ["a", "b", "c"]), ("- a\n- b\n  - c\n- d", ["• a", "• b", "  ◦ c", "• d"]),
    ("3. a\n4. b", ["3. a", "4. b"]), ("123456789. a", ["123456789. a"]),
    ("- a\n\n  b\n- c", ["• a", "", "  b", "", "• c"]), ("- a\nlazy\n\nnot", ["• a lazy", "", "not"]),
    ("* * *\na", [String(repeating: "─", count: 60), "", "a"]),
    ("> a\nlazy\n>> b", ["│ a lazy", "│", "│ │ b"]), ("```x\n a *b*\n\n```\nc", ["     a *b*", "", "c"]),
    ("    code\n\nx", ["    code", "", "x"]),
    ("a\n    not code", ["a not code"]), ("`` a`b `` `c", ["`a`b` `c"]),
    ("\\*a\\* &amp; &#x41; a&b", ["*a* & A a&b"]), ("<b>a</b><br>b <!-- c -->d", ["a", "b d"]),
    ("snake_case_name 2 * 3 * 4", ["snake_case_name 2 * 3 * 4"]), ("1986\\. x", ["1986. x"]),
    ("a\n- b", ["a", "", "• b"]), ("a\n2. b", ["a 2. b"]),
    ("\r\n- a\r\n- b\r\n", ["• a", "• b"]), ("- [x] done", ["• [x] done"]), ("*a", ["*a"]), ("[a]", ["[a]"]),
    ("~~a~~", ["~a~"]), ("|a|b|\n|-|-|\n|c|d|", ["a │ b", "──┼──", "c │ d"]),
    ("> a|b\n> -|:-\n> c|", ["│ a │ b", "│ ──┼──", "│ c │"]), ("    |-|-|", ["    |-|-|"]),
    ("a\nb\n|-|-", ["a b |-|-"]), ("a\u{0}|b", ["a\u{FFFD}|b"]),
    ("`a\nb` c", ["`a b` c"]), ("1. a\n\n       code", ["1. a", "", "       code"]),
  ])
  func textIsLaidOut(_ text: String, _ lines: [String]) {
    #expect(shown(text) == lines)
  }

  /// Each run's attributes by their letters: bold, italic, underlined, or `-`.
  @Test(arguments: [
    ("*a*", "i"), ("**a**", "b"), ("***a***", "bi"), ("_a_ __b__", "i - b"), ("**a*b*c**", "b bi b"),
    ("a*b*c", "- i -"), ("a_b_c", "-"), ("*a **b***", "i bi"), ("**a", "-"), ("# x", "bu"),
  ])
  func emphasisFollowsCommonMark(_ text: String, _ letters: String) {
    let runs = Document.markdown(text).layout(width: 60).flatMap(\.runs)
    let shown = runs.map { run in
      let attributes = run.style.attributes
      let names = [(Style.Attributes.bold, "b"), (.italic, "i"), (.underline, "u")]
      return attributes.isEmpty ? "-" : names.filter { attributes.contains($0.0) }.map(\.1).joined()
    }
    #expect(shown.joined(separator: " ") == letters)
  }

  @Test func linksOfAllKinds() {
    let text = """
      [a](http://a.org "title") <http://b.org> http://c.org/x_y_z [d][Ref One] [ref one][] [e]: no
      ![pic](http://p.org/p.png) [![badge](http://i.org/b.svg)](http://ci.org) [bad](javascript:x) <me@x.org>

      [ref  ONE]: <http://r.org>
      """
    let document = Document.markdown(text)
    #expect(
      document.links.map(\.url) == [
        "http://a.org", "http://b.org", "http://c.org/x_y_z", "http://r.org", "http://p.org/p.png",
        "http://ci.org", "mailto:me@x.org",
      ])
    #expect(
      document.layout(width: 200, listsLinks: false).map(\.plain) == [
        "a[1] http://b.org[2] http://c.org/x_y_z[3] d[4] ref one[4] [e]: no [image: pic][5] [image: badge][6] bad me@x.org[7]"
      ])
  }

  /// Marks in an address are not emphasis, wherever the address is.
  @Test func addressesAreTakenAsTheyAre() {
    let text = """
      See https://e.org/pkg/__init__.py, *http://e.org/~a~/*b* and http://例え.jp/_ü_/x [x](http://e.org/_y_ "t") mailto:a_b_@e.org
      `http://e.org/_z_` **http://e.org/end** http://localhost/[1]
      """
    let document = Document.markdown(text)
    #expect(
      document.links.map(\.url) == [
        "https://e.org/pkg/__init__.py", "http://e.org/~a~/*b", "http://%E4%BE%8B%E3%81%88.jp/_%C3%BC_/x",
        "http://e.org/_y_", "mailto:a_b_@e.org", "http://e.org/end", "http://localhost/[1]",
      ])
    #expect(
      document.layout(width: 300, listsLinks: false).map(\.plain) == [
        "See https://e.org/pkg/__init__.py[1], http://e.org/~a~/*b[2] and http://例え.jp/_ü_/x[3] x[4] mailto:a_b_@e.org[5] "
          + "`http://e.org/_z_` http://e.org/end[6] http://localhost/[1][7]"
      ])
  }

  @Test func whatIsDeeperThanPeopleWriteIsShownAtTheLastLevel() {
    let lines = Document.markdown(String(repeating: "> ", count: 100) + "a").layout(width: 200).map(\.plain)
    #expect(lines == [String(repeating: "│ ", count: Limits.nesting - 1) + "a"])
    let list = Document.markdown(String(repeating: "- ", count: 100) + "a\n- b").layout(width: 200)
    #expect(list.last?.plain == "• b")
    #expect(list.contains { $0.plain.hasSuffix(" a") })
  }

  /// A few bytes may become many: a row is filled up to the table's width, a link gets its address from a reference.
  enum Growth: CaseIterable {
    case filledRows, sharedAddress, sharedTitle

    var text: String {
      func times(_ text: String, _ count: Int) -> String { String(repeating: text, count: count) }
      return switch self {
      // Newer versions of MD4C take no table of more than 128 columns.
      case .filledRows: times("|a", 128) + "\n" + times("|---", 128) + "\n" + times("|\n", 50_000)
      case .sharedAddress: "[x]: <" + times("a", 60_000) + ">\n\n" + times("[x]", 20_000)
      case .sharedTitle: "[x]: a '" + times("&lt;", 15_000) + "'\n\n" + times("[x]", 20_000)
      }
    }
  }

  @Test(arguments: Growth.allCases) func aTextThatBecomesManyTimesItsSizeIsCutWithANote(_ growth: Growth) {
    let document = Document.markdown("# First\n\n" + growth.text)
    let lines = document.layout(width: 60, listsLinks: false).map(\.plain)
    #expect(lines.first == "First")
    // Newer versions of MD4C limit the text from references, and leave the rest as it was written.
    let isAsWritten = growth != .filledRows && lines.last?.hasSuffix("[x][x]") == true
    #expect(lines.last == "[Cut here: too much comes of the tables or addresses]" || isAsWritten)
  }

  @Test func tables() {
    let text = "| Name | N |\n|:--|--:|\n| a `b\\|c` | 1 |\n| **x** | 22\n\nend"
    #expect(shown(text) == ["Name    │  N", "────────┼───", "a `b|c` │  1", "x       │ 22", "", "end"])
    #expect(shown("a | b\nno table") == ["a | b no table"])
  }
}
