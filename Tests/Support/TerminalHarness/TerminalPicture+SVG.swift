import Foundation

/// The SVG: one element a line, text in a monospaced font that is stretched to its columns.
extension TerminalPicture {
  private static let (width, height) = (9, 18)
  private static let margin = 9
  /// The distance from the upper edge of a row to the baseline.
  private static let ascent = 14

  /// A part of a row that looks the same.
  private struct Run {
    var column: Int
    var columns: Int
    var text: String
    var look: Look
  }

  /// - Parameter title: a description of the picture for screen readers.
  package func svg(title: String) -> String {
    let size = (columns * Self.width + 2 * Self.margin, rows * Self.height + 2 * Self.margin)
    var lines = [
      """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(size.0) \(size.1)" width="\(size.0)" height="\(size.1)" role="img" \
      data-columns="\(columns)" data-rows="\(rows)" data-palette="\(palette.rawValue)" \
      font-family="ui-monospace, 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="15">
      """,
      "<title>\(Self.escaped(title))</title>",
      "<rect width=\"\(size.0)\" height=\"\(size.1)\" rx=\"8\" fill=\"\(palette.background)\"/>",
    ]
    for row in 0..<rows {
      let y = Self.margin + row * Self.height
      for run in runs(of: row, by: { $0.look.background }) where run.look.background != palette.background {
        lines.append(
          """
          <rect x="\(x(run.column))" y="\(y)" width="\(run.columns * Self.width)" height="\(Self.height)" \
          fill="\(run.look.background)"/>
          """)
      }
      for run in runs(of: row, by: { $0 }) { lines += element(run, y) }
    }
    return (lines + ["</svg>", ""]).joined(separator: "\n")
  }

  private func x(_ column: Int) -> Int { Self.margin + column * Self.width }

  /// Parts whose cells have the same key. A wide character is a separate part, so that its position is exact with every font.
  private func runs<Key: Equatable>(of row: Int, by key: (Cell) -> Key) -> [Run] {
    var runs: [Run] = []
    var last: Key?
    let cells = cells[row]
    for (column, cell) in cells.enumerated() {
      if cell.text.isEmpty, !runs.isEmpty {
        runs[runs.count - 1].columns += 1
        last = nil
        continue
      }
      var own = cell
      own.text = ""
      let isWide = column + 1 < cells.count && cells[column + 1].text.isEmpty
      if !isWide, !runs.isEmpty, last == key(own) {
        runs[runs.count - 1].columns += 1
        runs[runs.count - 1].text += cell.text
      } else {
        runs.append(Run(column: column, columns: 1, text: cell.text, look: cell.look))
      }
      last = key(own)
    }
    return runs
  }

  /// The words of a run: spaces between two and more are no text.
  private func element(_ run: Run, _ y: Int) -> [String] {
    let isLined = run.look.isUnderlined || run.look.isStruck
    var column = run.column
    var elements: [String] = []
    func write(_ text: String, _ start: Int, _ columns: Int) {
      var attributes = "x=\"\(x(start))\" y=\"\(y + Self.ascent)\" textLength=\"\(columns * Self.width)\""
      attributes += " fill=\"\(run.look.foreground)\""
      if run.look.isBold { attributes += " font-weight=\"bold\"" }
      if run.look.isItalic { attributes += " font-style=\"italic\"" }
      if run.look.isUnderlined { attributes += " text-decoration=\"underline\"" }
      if run.look.isStruck { attributes += " text-decoration=\"line-through\"" }
      elements.append(
        "<text \(attributes) lengthAdjust=\"spacingAndGlyphs\" xml:space=\"preserve\">\(Self.escaped(text))</text>"
      )
    }
    if isLined || run.text.count != run.columns {
      write(run.text, column, run.columns)
      return elements
    }
    for part in run.text.components(separatedBy: "  ") {
      let text = part.trimmingCharacters(in: CharacterSet(charactersIn: " "))
      if !text.isEmpty {
        let indent = part.prefix { $0 == " " }.count
        write(text, column + indent, text.count)
      }
      column += part.count + 2
    }
    return elements
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }

  // MARK: - Reading

  package struct NotAPicture: Error {
    package let line: String
  }

  /// Reads what `svg` wrote.
  package init(svg text: String) throws {
    let lines = text.split(separator: "\n")
    guard let head = lines.first, let columns = Self.number("data-columns", in: head),
      let rows = Self.number("data-rows", in: head),
      let palette = Self.value("data-palette", in: head).flatMap({ Palette(rawValue: $0) })
    else { throw NotAPicture(line: String(lines.first ?? "")) }
    (self.columns, self.rows, self.palette) = (columns, rows, palette)
    let blank = Cell(look: Look(foreground: palette.foreground, background: palette.background))
    cells = Array(repeating: Array(repeating: blank, count: columns), count: rows)
    for line in lines.dropFirst(3) where line != "</svg>" {
      guard let x = Self.number("x", in: line), let y = Self.number("y", in: line),
        let width = Self.number("width", in: line) ?? Self.number("textLength", in: line),
        let color = Self.value("fill", in: line)
      else { throw NotAPicture(line: String(line)) }
      let column = (x - Self.margin) / Self.width
      let row = (y - Self.margin) / Self.height
      let end = column + width / Self.width
      guard column >= 0, end <= columns, row >= 0, row < rows else {
        throw NotAPicture(line: String(line))
      }
      if line.hasPrefix("<rect") {
        for column in column..<end { cells[row][column].look.background = color }
      } else {
        write(line, color, row, column..<end)
      }
    }
  }

  private mutating func write(_ line: Substring, _ color: String, _ row: Int, _ columns: Range<Int>) {
    let start = line.firstIndex(of: ">").map { line.index(after: $0) } ?? line.endIndex
    let text = line[start...].replacing("</text>", with: "").replacing("&lt;", with: "<").replacing(
      "&gt;", with: ">"
    ).replacing("&amp;", with: "&")
    let characters = text.count == columns.count ? text.map(String.init) : [String(text)]
    let decoration = Self.value("text-decoration", in: line)
    for (offset, column) in columns.enumerated() {
      cells[row][column].text = offset < characters.count ? characters[offset] : ""
      cells[row][column].look.foreground = color
      cells[row][column].look.isBold = Self.value("font-weight", in: line) != nil
      cells[row][column].look.isItalic = Self.value("font-style", in: line) != nil
      cells[row][column].look.isUnderlined = decoration == "underline"
      cells[row][column].look.isStruck = decoration == "line-through"
    }
    hideBlanks(row, columns)
  }

  private mutating func hideBlanks(_ row: Int, _ columns: Range<Int>) {
    for column in columns where cells[row][column].isBlank {
      cells[row][column].look = Look(
        foreground: palette.foreground, background: cells[row][column].look.background)
    }
  }

  private static func value(_ name: String, in line: Substring) -> String? {
    guard let range = line.firstRange(of: " \(name)=\"") else { return nil }
    return String(line[range.upperBound...].prefix { $0 != "\"" })
  }

  private static func number(_ name: String, in line: Substring) -> Int? {
    value(name, in: line).flatMap { Int($0) }
  }
}
