import Markup
import Screen
import Testing

/// A long document is laid out only up to the visible part.
@Suite struct PartLayoutTests {
  private static let documents: [Document] = [
    .plain(String(repeating: "line\n> quote\n", count: 20_000)),
    .html(String(repeating: "<li>item<p>more", count: 20_000), base: nil),
    .html("<table>" + String(repeating: "<tr><td>a<td>b", count: 20_000), base: nil),
    .html("<pre>" + String(repeating: "code\n", count: 20_000), base: nil),
    .html("<dl>" + String(repeating: "<dt>t<dd>d", count: 20_000), base: nil),
    .html(
      "<blockquote>" + String(repeating: "<p>q<details><summary>s</summary>d</details>", count: 2000),
      base: nil),
    .markdown(String(repeating: "- a\n  - b\n\n", count: 5000)),
    .html((0..<900).map { "<a href='http://a.example/\($0)'>l</a> " }.joined(), base: nil),
  ]

  @Test(arguments: documents.indices)
  func aPartIsTheBeginningOfTheWhole(index: Int) {
    let document = Self.documents[index]
    for width in [80, 9] {
      let whole = document.layout(width: width)
      for limit in [1, 2, 3, 4, 5, 100, 1500] {
        let part = document.layout(width: width, upTo: limit)
        #expect(part.lines.count >= min(limit, whole.count))
        // One paragraph more, which has up to 900 lines at the narrow width.
        #expect(part.lines.count < limit + 1000)
        #expect(part.lines[...] == whole.prefix(part.lines.count))
        #expect(part.isComplete == (part.lines.count == whole.count))
      }
      let all = document.layout(width: width, upTo: whole.count + 1)
      #expect(all.isComplete)
      #expect(all.lines == whole)
    }
  }

  /// Tables whose cells span many columns and rows could use all memory.
  @Test func cellsThatSpanManyOthersAreFew() {
    let rows = String(repeating: "<tr><td>x", count: 50_000)
    let document = Document.html(
      "<table><tr><td colspan=64 rowspan=1000>a<td>b\(rows)</table>", base: nil)
    let cells = document.blocks.reduce(0) { sum, block in
      guard case .table(let table) = block.content else { return sum }
      return sum + table.rows.reduce(0) { $0 + $1.count }
    }
    #expect(cells < 120_000)
    #expect(document.layout(width: 80, upTo: 100).lines.count < 300)
  }

  @Test func manySmallTablesAreFilledUpNoFurther() {
    let table =
      "<table><tr><td colspan=64 rowspan=1000>a<td>b" + String(repeating: "<tr><td>x<td>y", count: 40)
    let document = Document.html(String(repeating: table + "</table>", count: 700), base: nil)
    let cells = document.blocks.reduce(0) { sum, block in
      guard case .table(let table) = block.content else { return sum }
      return sum + table.rows.reduce(0) { $0 + $1.count }
    }
    #expect(cells < 120_000)
  }

  @Test func colonsWithoutAddressesAreLookedAtOnce() {
    let document = Document.plain(String(repeating: "http:", count: 100_000))
    #expect(document.links.isEmpty)
  }
}
