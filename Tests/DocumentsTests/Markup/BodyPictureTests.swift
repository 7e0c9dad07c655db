import Basics
import Markup
import Screen
import Testing

/// Where the pictures of a message's text may be drawn.
@Suite struct BodyPictureTests {
  private static let base = "https://a.example/posts/1"

  private func laidOut(_ html: String, width: Int = 60) -> (lines: [String], places: [PicturePlace]) {
    let layout = Document.html(html, base: Self.base, keepsPictures: true).layout(
      width: width, listsLinks: false, upTo: .max)
    return (layout.lines.map(\.plain), layout.pictures)
  }

  @Test func aPictureStandsBelowItsDescription() throws {
    let (lines, places) = laidOut(
      "<p>One<p><img src='../cat.png' alt='A cat' width=640 height='480px'><p>Two")
    #expect(lines == ["One", "", "[image: A cat][1]", "", "Two"])
    let place = try #require(places.first)
    #expect(
      place.picture
        == BodyPicture(address: "https://a.example/cat.png", width: 640, height: 480))
    #expect(place.line == 3 && place.link == 1 && place.columns == 60 && !place.isAlone)
  }

  @Test func inALongBlockItStandsBelowItsOwnLine() {
    let (lines, places) = laidOut("one<br><img src=a.png alt=A><br>two<br><img src=b.png alt=B> b<br>three")
    #expect(lines == ["one", "[image: A][1]", "two", "[image: B][2] b", "three"])
    #expect(places.map(\.line) == [2, 4])
  }

  @Test func inAListOrAQuotationItHasTheirMargin() {
    let (lines, places) = laidOut(
      "<ul><li>x<li><img src=a.png alt='' width=99 height=99></ul><blockquote><img src=b.png alt=B></blockquote>"
    )
    #expect(lines == ["• x", "• ", "", "│ [image: B][1]"])
    #expect(places.map(\.margin.plain) == ["  ", "│ "])
    #expect(places.map(\.columns) == [58, 58] && places.map(\.line) == [2, 4])
    #expect(places.map(\.isAlone) == [true, false])
  }

  @Test(arguments: [
    "<img src=a.png alt='' width=1 height=1>", "<img src=a.png alt=x width=1>", "<img src=a.png alt=''>",
    "<img src=a.png alt=x width=600 height=2>", "<img src=a.png alt=x width=20 height=20>",
    "<img src=a.png alt='🙂'>", "<img src='data:image/png;base64,AA==' alt=x>",
    "<img src='file:///x.png' alt=x>",
    "<img src='javascript:1' alt=x>", "<img src='ftp://a.example/x.png' alt=x>", "<img alt=x>",
    "<img src='https://secure.gravatar.com/avatar/1' alt=x>", "<div hidden><img src=a.png alt=x></div>",
    "<table><tr><th>a<th>b<tr><td><img src=a.png alt=x width=90 height=90><td>c</table>",
  ])
  func signsCountersAndOtherAddressesAreNotDrawn(_ html: String) {
    #expect(laidOut(html).places == [])
  }

  @Test(arguments: [
    "<p>a<p><img src=a.png alt='' width=300 height=200><p>b", "<div>a</div><img src=a.png alt=x><div>b</div>",
    "a <img src=a.png alt=''> b <img src=b.png alt=B width=99 height=99> c",
    "<a href=x><img src=a.png alt='' width=300 height=200></a><p><a href=y>y</a>",
    "<ol><li><p>a<p><img src=a.png alt=A></ol>", "<h1><img src=a.png alt='' width=99 height=99>T </h1>",
    "<p>x <img src=a.png alt='' width=99 height=99></p>",
  ])
  func placesDoNotChangeTheText(_ html: String) {
    let plain = Document.html(html, base: Self.base)
    let own = Document.html(html, base: Self.base, keepsPictures: true)
    #expect(own.pictures.count > 0 && plain.pictures == [])
    #expect(own.links == plain.links)
    #expect(own.layout(width: 40) == plain.layout(width: 40))
  }

  @Test func aTextHasSoManyAndNotMore() {
    let html = (0..<100).map { "<p><img src='\($0).png' alt='\($0)'>" }.joined()
    let (lines, places) = laidOut(html)
    #expect(places.count == Limits.messagePictures)
    #expect(lines.contains("[image: 99][100]"))
    #expect(zip(places, places.dropFirst()).allSatisfy { $0.line < $1.line })
  }

  @Test func aPartOfTheTextHasThePlacesOfThatPart() {
    let html = (0..<20).map { "<p>text<p><img src='\($0).png' alt='\($0)'>" }.joined()
    let document = Document.html(html, base: Self.base, keepsPictures: true)
    let all = document.layout(width: 40, upTo: .max)
    let part = document.layout(width: 40, upTo: 10)
    #expect(!part.isComplete && part.pictures.count > 1)
    #expect(part.pictures == Array(all.pictures.prefix(part.pictures.count)))
  }
}
