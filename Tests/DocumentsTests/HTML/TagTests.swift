import Basics
import Testing

@testable import Formats

/// libxml2 compares all pairs of a tag's attributes: no tag that it reads may have many.
@Suite struct TagTests {
  private static let many = (0..<30_000).map { "a\($0) " }.joined()
  private static let manyWithValues = (0..<30_000).map { "a\($0)='' " }.joined()

  private func repaired(_ text: String) -> String? {
    Array(text.utf8).withUnsafeBufferPointer { TagRepair.repaired($0) }.map {
      String(decoding: $0, as: UTF8.self)
    }
  }

  @Test(arguments: [
    "<p \(many)>", "<p \(manyWithValues)>", "<p title='>' \(many)>", "<p title=\">\" \(manyWithValues)>",
    "<a !b=\"x> <b c='\"> ' \(many)>", "<!--> <b \(many)> -->", "<!-- --!> <b \(many)>", "<? > <b \(many)>",
    "<!DOCTYPE a \">\" > <b \(many)>", "<script><b c=\"</script> <b \(many)>",
    "<x\(String(repeating: "y", count: 500)) \(many)>", "<p a=<b \(many)>", "<a\"b='> <c \(many)>",
    "<:x y='> <c \(many)>", "<p a=\"1\"\(many)>",
  ])
  func noTagKeepsMoreThanALimitOfAttributes(html: String) throws {
    let text = try #require(repaired(html + "text</p>"))
    // This holds for any parser: between two angle brackets there are at most as many words as attributes are allowed.
    for tag in text.split(separator: "<") {
      let words = tag.prefix { $0 != ">" }.split(separator: " ")
      #expect(words.count <= Limits.attributes + 2)
    }
    #expect(repaired(text) == nil)
  }

  @Test func plainTagsStayAsTheyAre() {
    for html in [
      "<p class=a id='b' title=\"c d\">x</p><br/><img src=a.png alt>", "a < b & c > d <3", "<a href=x/>",
      "<script>if (a<b) { '<!--' }</script>",
    ] {
      #expect(repaired(html) == nil, "\(html)")
    }
  }

  @Test func oddTagsKeepTheirMeaning() {
    #expect(repaired("<a title='1 > 0'>x</a>") == "<a title=\"1 &gt; 0\">x</a>")
    #expect(repaired("<p @click=\"f('>')\" b=c>x") == "<p b=\"c\">x")
    #expect(repaired("x<!-- a -->y<!-->z") == "xyz")
    #expect(repaired("<img a=\"1\"b='2' / >") == "<img a=\"1\" b=\"2\">")
  }

  @Test func aDocumentTypeHidesNoTag() {
    let xml = "<!DOCTYPE a [<!ENTITY x \"<a b='\"> <!-- ' --> <?p ' ?>]><a \(Self.manyWithValues)/>"
    let place = Array(xml.utf8).withUnsafeBufferPointer(XMLTags.firstWithTooManyAttributes)
    #expect(place == xml.utf8.count - Self.manyWithValues.utf8.count - 5)
  }
}
