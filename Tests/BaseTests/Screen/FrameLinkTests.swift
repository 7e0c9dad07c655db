import Screen
import Testing

/// Which cells of a frame are links.
@Suite struct FrameLinkTests {
  private let link = Hyperlink("https://a.example/", id: "m1-1")

  private func parts(_ frame: Frame) -> [String] {
    frame.links.map { "\($0.row): \($0.columns)" }.sorted()
  }

  private func linked() throws -> Frame {
    var frame = Frame(size: Size(columns: 20, rows: 3))
    frame.write("some words of a link", at: Point(column: 0, row: 1))
    frame.link(try #require(link), in: Rect(column: 5, row: 1, columns: 10, rows: 1))
    return frame
  }

  @Test func onlyWhatIsInsideIsLinked() throws {
    var frame = Frame(size: Size(columns: 20, rows: 3))
    frame.link(try #require(link), in: Rect(column: 15, row: 2, columns: 10, rows: 4))
    frame.link(try #require(link), in: Rect(column: 25, row: 0, columns: 10, rows: 1))
    #expect(parts(frame) == ["2: 15..<20"])
  }

  @Test func whatIsWrittenOverALinkIsNone() throws {
    var frame = try linked()
    frame.write("xx", at: Point(column: 8, row: 1))
    #expect(parts(frame) == ["1: 10..<15", "1: 5..<8"])
    frame.write("日本", at: Point(column: 3, row: 1))
    #expect(parts(frame) == ["1: 10..<15", "1: 7..<8"])
    // Clipped text reaches only what it covers.
    frame.write("long words", at: Point(column: 0, row: 1), in: Rect(column: 0, row: 1, columns: 2, rows: 1))
    frame.write("other row", at: Point(column: 8, row: 0))
    #expect(parts(frame) == ["1: 10..<15", "1: 7..<8"])
    frame.fill(Rect(column: 0, row: 0, columns: 12, rows: 3))
    #expect(parts(frame) == ["1: 12..<15"])
    frame.fill(frame.bounds)
    #expect(frame.links.isEmpty)
  }

  @Test func aLinkOverAnotherReplacesIt() throws {
    var frame = try linked()
    let other = try #require(Hyperlink("https://b.example/", id: "m1-2"))
    frame.link(other, in: Rect(column: 7, row: 1, columns: 2, rows: 1))
    #expect(parts(frame) == ["1: 5..<7", "1: 7..<9", "1: 9..<15"])
    #expect(frame.links(in: 1).filter { $0.link == other }.map(\.columns) == [7..<9])
  }

  /// A message full of long addresses must not slow the terminal down.
  @Test func theAddressesOfAFrameAreBounded() throws {
    var frame = Frame(size: Size(columns: 200, rows: 50))
    for row in 0..<50 {
      for column in 0..<100 {
        let address = "https://a.example/" + String(repeating: "x", count: 2000)
        let link = try #require(Hyperlink(address, id: "m1-\(row * 100 + column)"))
        frame.link(link, in: Rect(column: 2 * column, row: row, columns: 1, rows: 1))
      }
    }
    #expect((30...32).contains(frame.links.count))
    #expect(frame.links.allSatisfy { $0.row == 0 })
  }

  @Test func anotherLookLeavesTheLink() throws {
    var frame = try linked()
    frame.restyle { _ in .bold }
    #expect(parts(frame) == ["1: 5..<15"])
  }

  @Test func framesThatDifferInALinkAreNotEqual() throws {
    var frame = try linked()
    let before = frame
    frame.link(
      try #require(Hyperlink("https://b.example/", id: "m1-1")),
      in: Rect(column: 5, row: 1, columns: 10, rows: 1))
    #expect(frame != before)
    #expect(frame.changedRows(from: before) == [])
  }

  @Test(arguments: [
    "", "https://a.example/ b", "https://a.example/\u{7}", "https://a.example/\u{1B}\\", "https://ä.example",
    "https://a.example/\n", "https://a.example/\u{9C}", "https://a.example/\u{7F}",
  ])
  func whatCouldEndTheSequenceIsNotTaken(address: String) {
    #expect(Hyperlink(address, id: "m1-1") == nil)
  }

  @Test(arguments: ["", "a:b", "a;b", "a b", "ä", String(repeating: "x", count: 65)])
  func anIdIsAWord(id: String) {
    #expect(Hyperlink("https://a.example/", id: id) == nil)
  }

  @Test func anAddressIsNotTooLong() {
    let most = "https://a.example/" + String(repeating: "x", count: 2083 - 18)
    #expect(Hyperlink(most, id: "m1-1")?.address == most)
    #expect(Hyperlink(most + "x", id: "m1-1") == nil)
  }
}
