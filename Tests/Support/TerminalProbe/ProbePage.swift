import Foundation
import Screen

/// The pages of the probe.
enum ProbePage {
  case events, wide, colors, manyColors, hello
  /// Links, scrolled by so many lines, and so many columns to the right. The text is the same for every host, and
  /// without one, in which case nothing is a link.
  case links(down: Int, right: Int, host: String?)

  /// A picture of 8 columns and 6 rows between words, scrolled by so many lines; a dialog may cover a part of it.
  case picture(down: Int, number: Int, pixels: Int, isCovered: Bool)

  static func name(of event: InputEvent) -> String {
    switch event {
    case .key(let press): "key \(press.name)"
    case .mouse(let mouse): "\(mouse.kind) \(mouse.at.column),\(mouse.at.row)"
    case .focus(let isFocused): isFocused ? "focus in" : "focus out"
    case .paste(let text): "paste \(text.utf8.count) \(text.replacing("\n", with: "|").prefix(60))"
    case .resize(let size): "resize \(size.columns)x\(size.rows)"
    }
  }

  static func frame(
    _ page: ProbePage, size: Size, told: [String], status: String, title: SafeText, cursor: Point?,
    parked: Point?
  ) -> Frame {
    var frame = Frame(size: size)
    frame.title = title
    frame.cursor = cursor
    frame.parkedCursor = parked
    switch page {
    case .events:
      frame.write(SafeText(untrusted: status), at: .zero)
      for (row, line) in told.suffix(max(0, size.rows - 1)).enumerated() {
        frame.write(SafeText(untrusted: line), at: Point(column: 0, row: row + 1))
      }
    case .wide:
      for (row, text) in ["ascii", "日本語", "é e\u{301}", "👋🏽", "مرحبا", "हिन्दी", "한국어"].enumerated() {
        frame.write(SafeText(untrusted: text), at: Point(column: 1, row: row))
        frame.write("|", at: Point(column: 12, row: row))
      }
    case .colors: colors(in: &frame)
    case .manyColors:
      for place in 0..<size.columns * size.rows {
        let style = Style(
          foreground: .indexed(UInt8(place % 256)), background: .indexed(UInt8(place / 256 % 256)))
        frame.write("x", at: Point(column: place % size.columns, row: place / size.columns), style: style)
      }
    case .links(let down, let right, let host): links(in: &frame, down: down, right: right, host: host)
    case .picture(let down, let number, let pixels, let isCovered):
      picture(in: &frame, down: down, number: number, pixels: pixels)
      if isCovered {
        for row in 5..<7 { frame.write("dialog", at: Point(column: 8, row: row)) }
      }
    case .hello: frame.write("hello", at: .zero)
    }
    return frame
  }

  /// Draws lines of words, on some of which a digit, repeated, is a link to its number; one continues to the last
  /// column.
  private static func links(in frame: inout Frame, down: Int, right: Int, host: String?) {
    for row in 0..<frame.size.rows {
      let line = row + down
      frame.write(
        "line \(line) and 日本語 words", at: Point(column: 1, row: row), style: line % 4 == 0 ? .bold : .plain)
      guard line % 3 != 0 else { continue }
      let digit = line % 10
      let column = line % 5 == 0 ? frame.size.columns - 4 : 26 + right + line % 7
      let place = Point(column: column, row: row)
      let style: Style = line % 2 == 0 ? .underline : Style(foreground: .ansi(12), background: .indexed(17))
      frame.write(SafeText("\(digit)", count: 4), at: place, style: style)
      if let host, let link = Hyperlink("https://\(host)/\(digit)", id: "probe-\(digit)") {
        frame.link(link, in: Rect(origin: place, size: Size(columns: 4, rows: 1)))
      }
    }
  }

  private static func picture(in frame: inout Frame, down: Int, number: Int, pixels: Int) {
    for row in 0..<frame.size.rows {
      frame.write("line \(row + down)", at: Point(column: 30, row: row))
    }
    let graphic = isSixel ? sixel(number) : kitty(number, pixels: pixels)
    let blocks = StyledText(SafeText("▄", count: 8), style: Style(foreground: .indexed(200)))
    for (index, line) in graphic.over(Array(repeating: blocks, count: 6)).enumerated() {
      frame.write(line, at: Point(column: 4, row: 3 + index - down))
    }
  }

  private static let isSixel = ProcessInfo.processInfo.environment["GRAPHICS"] == "sixel"

  private static func kitty(_ number: Int, pixels: Int) -> Graphic {
    let bytes = (0..<pixels * pixels * 4).map { UInt8(truncatingIfNeeded: $0 &* number) }
    return Graphic(
      number: number, size: Size(columns: 8, rows: 6), width: pixels, height: pixels,
      pixels: .rgba(base64: Array(Data(bytes).base64EncodedString().utf8)))
  }

  /// Returns a picture of one colour, for cells of 10 by 20 pixels.
  private static func sixel(_ number: Int) -> Graphic {
    let lines = Array(repeating: "#0!80~", count: 20).joined(separator: "-")
    return Graphic(
      number: number, size: Size(columns: 8, rows: 6), width: 80, height: 120,
      pixels: .sixel(Array("#0;2;100;0;\(number)\(lines)".utf8), cell: Size(columns: 10, rows: 20)))
  }

  private static func colors(in frame: inout Frame) {
    let styles: [(SafeText, Style)] = [
      ("red", Style(foreground: .ansi(1))), ("bright", Style(foreground: .ansi(9), background: .ansi(4))),
      ("indexed", Style(foreground: .indexed(208))), ("rgb", Style(foreground: .rgb(255, 0, 0))),
      ("bold", .bold), ("dim", .dim), ("italic", .italic), ("underline", .underline), ("reverse", .reverse),
    ]
    for (row, (text, style)) in styles.enumerated() {
      frame.write(text, at: Point(column: 0, row: row), style: style)
    }
  }
}
