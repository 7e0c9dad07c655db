import Foundation
import TestBasics
import Testing

@testable import Screen

@Suite struct FrameTests {
  private static let sizes = [
    Size(columns: 20, rows: 5), Size(columns: 1, rows: 1), .zero, Size(columns: 2, rows: 1),
  ]

  /// Draws the argument between marks: no text may move the marks.
  private func check(_ source: String, sourceLocation: SourceLocation = #_sourceLocation) {
    let text = SafeText(untrusted: source)
    for size in Self.sizes {
      for column in [-3, 0, 1, size.columns - 1] {
        var frame = Frame(size: size)
        let written = frame.write(text, at: Point(column: column, row: 0))
        #expect(written <= text.columns, sourceLocation: sourceLocation)
        expectWhole(frame, sourceLocation: sourceLocation)
      }
    }
    var frame = Frame(size: Size(columns: 30, rows: 1))
    let written = frame.write(text, at: .zero, in: Rect(column: 0, row: 0, columns: 29, rows: 1))
    #expect(written == min(29, text.columns), sourceLocation: sourceLocation)
    frame.write("|", at: Point(column: 29, row: 0))
    #expect(frame[29, 0].text == "|", sourceLocation: sourceLocation)
    expectWhole(frame, sourceLocation: sourceLocation)
  }

  /// Each cell is safe, each wide character has its continuation, each row has all columns.
  private func expectWhole(_ frame: Frame, sourceLocation: SourceLocation = #_sourceLocation) {
    for row in 0..<frame.size.rows {
      let cells = Array(frame.row(row))
      #expect(cells.count == frame.size.columns, sourceLocation: sourceLocation)
      for (index, cell) in cells.enumerated() {
        #expect(cell.scalars.count <= 5, sourceLocation: sourceLocation)
        #expect(cell.scalars.allSatisfy(Attacks.isHarmless), sourceLocation: sourceLocation)
        #expect(
          cell.isContinuation == (index > 0 && cells[index - 1].width == 2), sourceLocation: sourceLocation)
        let columns = cell.scalars.map { ColumnWidth.of($0) ?? -9 }
        #expect(columns.reduce(0, +) == Int(cell.width), sourceLocation: sourceLocation)
      }
    }
  }

  @Test(arguments: Attacks.all + Attacks.scripts)
  func anAttackMovesNoColumn(_ attack: String) {
    check(attack)
    check("before " + attack + " after")
  }

  @Test(
    .enabled(
      if: Corpora.naughtyStrings != nil, "skipped: no strings/blns.json in REDDOT_CORPORA or ../shared/data"))
  func naughtyStringsMoveNoColumn() throws {
    let strings = try Corpora.naughtyTexts()
    #expect(strings.count > 500)
    for string in strings { check(string) }
  }

  @Test func everyCodePointMovesNoColumn() {
    for value in (0...0x10FFFF as ClosedRange<UInt32>)
    where value < 0x3400 || value % 97 == 0 || value & 0xFF00 == 0xFE00 {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let text = SafeText(untrusted: "a" + String(scalar) + "b")
      var frame = Frame(size: Size(columns: 8, rows: 1))
      frame.write(text + "|", at: .zero)
      #expect(frame[text.columns, 0].text == "|", "U+\(String(value, radix: 16))")
    }
  }

  @Test func wideCharactersCutByAnEdgeBecomeSpaces() {
    var frame = Frame(size: Size(columns: 5, rows: 3))
    frame.write("中文字", at: .zero)
    frame.write("x中文", at: Point(column: 0, row: 1), in: Rect(column: 0, row: 1, columns: 4, rows: 1))
    frame.write("中文字", at: Point(column: -1, row: 2))
    #expect(frame.lines() == ["中文", "x中", " 文字"])
    #expect(frame[4, 0] == Cell())
    #expect(frame[3, 1] == Cell())
    #expect(frame[0, 2] == Cell())
  }

  @Test func overwritingHalfAWideCharacterClearsItsOtherHalf() {
    var frame = Frame(size: Size(columns: 6, rows: 1))
    frame.write("中文字", at: .zero)
    frame.write("x", at: Point(column: 1, row: 0))
    #expect(frame.lines() == [" x文字"])
    frame.write("y", at: Point(column: 2, row: 0))
    #expect(frame.lines() == [" xy 字"])
    frame.write("国", at: Point(column: 3, row: 0))
    #expect(frame.lines() == [" xy国"])
    expectWhole(frame)
  }

  @Test func writingOverwritingAndFillingAtRandomLeavesEveryCellWhole() {
    var random = SeededRandom(seed: 42)
    var frame = Frame(size: Size(columns: 20, rows: 5))
    let texts = (Attacks.all + Attacks.scripts).map(SafeText.init(untrusted:))
    func pick(_ range: Range<Int>) -> Int { range.lowerBound + Int(random.next() % UInt64(range.count)) }
    for _ in 0..<2000 {
      let at = Point(column: pick(-5..<25), row: pick(-1..<7))
      let rect = Rect(column: pick(-2..<20), row: pick(0..<5), columns: pick(0..<12), rows: pick(0..<4))
      if pick(0..<4) == 0 { frame.fill(rect, style: .reverse) }
      let text = texts[pick(0..<texts.count)]
      frame.write(text, at: at, in: pick(0..<2) == 0 ? nil : rect, style: .bold)
      expectWhole(frame)
    }
  }

  @Test func whatIsWrittenOutsideIsCutOff() {
    var frame = Frame(size: Size(columns: 4, rows: 2))
    frame.write("hello", at: Point(column: -2, row: 0))
    frame.write("hello", at: Point(column: 2, row: 1))
    frame.write("hello", at: Point(column: 0, row: 2))
    frame.write("hello", at: Point(column: 0, row: -1))
    frame.write("hello", at: Point(column: 9, row: 0))
    #expect(frame.lines() == ["llo", "  he"])
    #expect(frame[99, 99] == Cell())
    #expect(frame.row(7).isEmpty)
  }

  @Test func aFrameOfNothingTakesEverything() {
    for size in [
      Size.zero, Size(columns: 0, rows: 3), Size(columns: 3, rows: 0), Size(columns: -1, rows: -1),
    ] {
      var frame = Frame(size: size)
      frame.write("中x", at: .zero)
      frame.fill(Rect(column: 0, row: 0, columns: 9, rows: 9), style: .reverse)
      frame.restyle(frame.bounds) { _ in .bold }
      #expect(frame.lines().joined().isEmpty)
    }
  }

  @Test func stylesAreLaidOverEachOther() {
    var frame = Frame(size: Size(columns: 10, rows: 1))
    let red = Style(foreground: .ansi(1), attributes: .bold)
    var text = StyledText("a", style: red)
    text.append("b")
    #expect(frame.write(text, at: .zero, base: Style(background: .ansi(4))) == 2)
    #expect(frame[0, 0].style == Style(foreground: .ansi(1), background: .ansi(4), attributes: .bold))
    #expect(frame[1, 0].style == Style(background: .ansi(4)))
    frame.restyle(frame.bounds) { Style.reverse.over($0) }
    #expect(frame[0, 0].style.attributes == [.bold, .reverse])
  }

  /// Each colour, attribute and mark makes a cell unequal to others, regardless of the rest.
  @Test func cellsThatLookDifferentAreNotEqual() {
    let colors: [Color] = [.terminal, .ansi(1), .indexed(255), .rgb(255, 255, 255)]
    let attributes: [Style.Attributes] = [
      [], .bold, .dim, [.bold, .dim], [.bold, .dim, .italic, .underline, .reverse],
    ]
    let texts: [SafeText] = [
      "e", "e\u{301}", "e\u{302}", "e\u{301}\u{302}\u{303}", "e\u{301}\u{302}\u{303}\u{305}", "d", "界",
    ]
    var frames: [Frame] = []
    for text in texts {
      for (foreground, background) in colors.flatMap({ color in colors.map { (color, $0) } }) {
        for attributes in attributes {
          var frame = Frame(size: Size(columns: 4, rows: 1))
          let style = Style(foreground: foreground, background: background, attributes: attributes)
          frame.write(text, at: .zero, style: style)
          frames.append(frame)
        }
      }
    }
    #expect(Set(frames.map { $0[0, 0] }).count == frames.count)
    for (index, frame) in frames.enumerated() {
      for other in frames.indices where other != index {
        let isSame =
          frame[0, 0] == frames[other][0, 0] || frame.changedRows(from: frames[other]).isEmpty
        if isSame { Issue.record("\(frame[0, 0]) and \(frames[other][0, 0])") }
      }
    }
  }

  @Test func onlyRowsThatLookDifferentChanged() {
    let before = Frame(size: Size(columns: 10, rows: 4))
    var after = before
    after.write("e\u{301}", at: Point(column: 0, row: 1))
    after.write(" ", at: Point(column: 0, row: 2))
    after.write(" ", at: Point(column: 0, row: 3), style: .reverse)
    #expect(after.changedRows(from: before) == [1, 3])
    #expect(Frame(size: .zero).changedRows(from: before).isEmpty)
    #expect(before.changedRows(from: Frame(size: .zero)) == [0, 1, 2, 3])
  }

  @Test func whatChangedBeginsAndEndsBetweenCharactersOfBothFrames() {
    func frame(_ text: SafeText) -> Frame {
      var frame = Frame(size: Size(columns: 12, rows: 2))
      frame.write(text, at: Point(column: 0, row: 1))
      return frame
    }
    func changes(_ old: SafeText, _ new: SafeText) -> [Range<Int>] {
      let found = frame(new).changes(from: frame(old))
      #expect(found.allSatisfy { $0.row == 1 })
      return found.map(\.columns)
    }
    #expect(changes("one two", "one two") == [])
    #expect(changes("one two", "one owe") == [4..<7])
    #expect(changes("one", "one two") == [4..<7])
    #expect(changes("one 会议 two", "one 会话 two") == [6..<8])
    #expect(changes("a会b", "abcb") == [1..<3])
    #expect(changes("abcb", "a会b") == [1..<3])
    #expect(changes("ab会", "会会") == [0..<2])
    #expect(changes("a会会", "会会a") == [0..<5])
  }

  @Test func aCellIsSmallAndHoldsFourMarks() {
    #expect(MemoryLayout<Cell>.size <= 32)
    var frame = Frame(size: Size(columns: 2, rows: 1))
    frame.write("e\u{301}\u{302}\u{303}\u{1E8D0}\u{305}", at: .zero)
    #expect(frame[0, 0].scalars == ["e", "\u{301}", "\u{302}", "\u{303}", "\u{1E8D0}"])
  }
}
