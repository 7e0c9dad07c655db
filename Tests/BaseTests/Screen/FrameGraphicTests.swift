import Testing

@testable import Screen

/// Which cells of a frame show a part of a picture.
@Suite struct FrameGraphicTests {
  private let graphic = Graphic(
    number: 1, size: Size(columns: 4, rows: 2), width: 1, height: 1, pixels: .rgba(base64: []))

  private func lines() -> [StyledText] {
    graphic.over([
      StyledText("▄▄", style: .bold) + StyledText("▄▄", style: .dim), StyledText("▄▄▄", style: .bold),
    ])
  }

  private func frame(at place: Point, in rect: Rect? = nil) -> Frame {
    var frame = Frame(size: Size(columns: 10, rows: 4))
    for (row, line) in lines().enumerated() {
      frame.write(line, at: Point(column: place.column, row: place.row + row), in: rect)
    }
    return frame
  }

  private func parts(_ frame: Frame) -> [String] {
    frame.graphics.map { "\($0.row): \($0.columns) is \($0.part.row) from \($0.firstColumn)" }
  }

  @Test func eachLineShowsARowOverItsHalfBlocks() {
    let frame = frame(at: Point(column: 2, row: 1))
    #expect(frame.lines() == ["", "  ▄▄▄▄", "  ▄▄▄", ""])
    #expect(parts(frame) == ["1: 2..<6 is 0 from 0", "2: 2..<6 is 1 from 0"])
    // After a margin, and as a link.
    var other = Frame(size: Size(columns: 10, rows: 4))
    other.write(StyledText("> ") + lines()[1].linked(3), at: .zero)
    #expect(parts(other) == ["0: 2..<6 is 1 from 0"])
  }

  @Test func whatIsOutsideIsCutOff() {
    #expect(parts(frame(at: Point(column: -1, row: -1))) == ["0: 0..<3 is 1 from 1"])
    #expect(parts(frame(at: Point(column: 8, row: 3))) == ["3: 8..<10 is 0 from 0"])
    let rect = Rect(column: 3, row: 0, columns: 2, rows: 2)
    #expect(parts(frame(at: Point(column: 2, row: 1), in: rect)) == ["1: 3..<5 is 0 from 1"])
  }

  @Test func whatIsWrittenOverItLaterCoversIt() {
    var frame = frame(at: Point(column: 2, row: 1))
    frame.write("xy", at: Point(column: 3, row: 1))
    #expect(
      parts(frame) == ["1: 2..<3 is 0 from 0", "1: 5..<6 is 0 from 3", "2: 2..<6 is 1 from 0"])
    frame.fill(Rect(column: 0, row: 0, columns: 3, rows: 4))
    #expect(parts(frame) == ["1: 5..<6 is 0 from 3", "2: 3..<6 is 1 from 1"])
    frame.fill(frame.bounds)
    #expect(!frame.hasGraphics && frame == Frame(size: frame.size))
  }

  @Test func aLineThatIsCutHasHalfBlocksOnly() {
    var frame = Frame(size: Size(columns: 10, rows: 4))
    frame.write(lines()[0].truncated(to: 3, ellipsis: "…"), at: .zero)
    for (row, line) in lines()[0].wrapped(to: 2).enumerated() {
      frame.write(line, at: Point(column: 0, row: 1 + row))
    }
    #expect(!frame.hasGraphics)
  }

  @Test func otherCellsReplaceAPart() {
    var frame = frame(at: Point(column: 2, row: 1))
    let part = frame.graphics[1]
    frame.replace(part) { .picture(row: "\u{305}", column: $0 == 0 ? "\u{305}" : "\u{30D}", style: .plain) }
    #expect(frame[2, 2].scalars == ["\u{10EEEE}", "\u{305}", "\u{305}"])
    #expect(frame[5, 2].scalars == ["\u{10EEEE}", "\u{305}", "\u{30D}"])
    #expect(frame[6, 2] == Cell() && frame[2, 1].text == "▄")
  }

  @Test func noTextFromOutsideHasThePlaceholder() {
    let hostile = "a\u{10EEEE}\u{305}\u{30D}b"
    #expect(SafeText(untrusted: hostile).text == "a\u{FFFD}\u{305}\u{30D}b")
    var gate = SafeText.Gate()
    let isKept = gate.lets("\u{10EEEE}")
    #expect(!isKept)
  }
}
