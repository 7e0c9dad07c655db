import Markup
import Screen
import TestBasics
import Testing

/// Any input is read and laid out fast, without traps and without control characters in the result.
@Suite struct HostileMarkupTests {
  private static let sample = """
    <h1>T&eacute;st</h1><p>a <a href="http://e.org/?a=1&amp;b=2">link <b>bo<i>th</b></i></a><ul><li>x<ol start=5><li>y</ol></ul>
    <table><tr><th colspan=2>h<td rowspan=3>c</table><pre>\tcode\n</pre><blockquote>q<img src=x alt='中文 👨‍👩‍👧'></blockquote>
    # md\n> *em* **strong** `code` [a](b "c") ![i](j)\n- x\n  1. y\n|a|b|\n|-|-|\n|c|d|\n~~~\n&#x1b;[31m\u{1B}]0;x\u{7}\u{202E}\n<!-- -->
    """

  private func check(_ source: String) {
    for document in [Document.html(source, base: "http://b.org/"), .markdown(source), .plain(source)] {
      for width in [80, 20, 7, 2, 1] {
        for line in document.layout(width: width) {
          #expect(line.columns <= width)
          #expect(SafeText(untrusted: line.plain).text == line.plain)
        }
      }
      #expect(document.layout(width: 0).isEmpty)
      #expect(document.links.allSatisfy { $0.url.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F } })
    }
  }

  @Test func textCutAtEveryLength() {
    let scalars = Array(Self.sample.unicodeScalars)
    for length in stride(from: 0, through: scalars.count, by: 7) {
      check(String(String.UnicodeScalarView(scalars[..<length])))
    }
  }

  @Test func textChangedAtRandom() {
    var random = SeededRandom(seed: 11)
    let alphabet = Array("<>/&;#\"'=![]()*_`~|\\-\n\t x1a中\u{301}\u{0}\u{1B}\u{85}".unicodeScalars)
    for _ in 0..<150 {
      var scalars = Array(Self.sample.unicodeScalars)
      for _ in 0..<12 {
        let place = Int(random.next() % UInt64(scalars.count))
        switch random.next() % 3 {
        case 0: scalars[place] = alphabet[Int(random.next() % UInt64(alphabet.count))]
        case 1: scalars.insert(alphabet[Int(random.next() % UInt64(alphabet.count))], at: place)
        default: scalars.removeSubrange(place..<min(scalars.count, place + 5))
        }
      }
      check(String(String.UnicodeScalarView(scalars)))
    }
  }

  @Test(arguments: [
    "<div>", "<a>", "</b>", "<!--", "<![CDATA[", "<?", "<script>", "<table><tr><td>", "<ul><li>",
    "<blockquote>", "<a b=", "&", "&#", "<pre>\n", "<br>",
    "[", "![", "](b)", "[a](b", "*a ", "**a*", "`", "``a", "> ", "- ", "  - ", "1. a\n", "|a", "a|b\n-|-\n",
    "\\", "<a", "_", "~~a", "http://", "[a]: b\n", "\t", "中", "a\u{301}",
  ])
  func oneThingOverAndOverEndsSoon(_ piece: String) {
    let times = Self.time(of: piece) / Self.harmless
    // A few times as long is normal; a quadratic search takes thousands of times as long.
    #expect(times < 50, "\(times) times what words take")
  }

  @Test(arguments: [
    ">", "> ", "*", "**a ", "[", "![", "- ", "`", "<", "~", "|", "[a](", "&a;", "http://*", "|-",
  ])
  func oneHundredThousandMarksOfMarkdownEndSoon(_ mark: String) {
    func time(_ piece: String) -> Double {
      let source = String(repeating: piece, count: 100_000 / piece.utf8.count)
      return processorTime { _ = Document.markdown(source).layout(width: 80) }
    }
    let times = time(mark) / time("a word ")
    #expect(times < 50, "\(times) times what words take")
  }

  private static let harmless = time(of: "a word ")

  private static func time(of piece: String) -> Double {
    let source = String(repeating: piece, count: 20_000 / piece.utf8.count)
    return processorTime {
      for document in [Document.html(source, base: nil), .markdown(source), .plain(source)] {
        _ = document.layout(width: 80)
        _ = document.layout(width: 3)
      }
    }
  }

  @Test func attributesWithoutEndCostNoMoreThanOthers() {
    let many = (0..<40_000).map { "a\($0)=1" }.joined(separator: " ")
    #expect(Document.html("<p \(many)>text</p>", base: nil).layout(width: 20).map(\.plain) == ["text"])
    #expect(Document.html("<a href='http://e.org' \(many)>text</a>", base: nil).links.count == 1)
  }
}
