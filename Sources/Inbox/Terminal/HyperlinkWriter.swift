import CWidth
import Screen

/// Writes links into the output of curses, which does not support them: their cells once more, with the same style,
/// between OSC 8 and its end.
///
/// Terminals store a link with its cell. Writing over the cell without a link removes the link, and scrolling moves it.
/// Therefore, curses must rewrite a row that had links and may have changed, and its links are written after that.
struct HyperlinkWriter {
  let colors: ColorDepth
  /// The attributes that the terminal can show; curses ignores the others.
  let attributes: Style.Attributes

  /// The work for a frame in addition to curses' own output.
  struct Work: Equatable {
    /// The rows that curses must rewrite, since their cells may have links that no longer belong there.
    var stale: [Int] = []
    /// The links that are written.
    var links: [LinkedCells] = []
  }

  /// Returns the work for the links of a frame.
  ///
  /// - Parameter shown: the frame before, or `nil` if curses rewrites the whole screen.
  /// - Returns: `nil` if neither frame has links, or no link can have changed.
  func work(for frame: Frame, over shown: Frame?) -> Work? {
    guard frame.hasLinks || shown?.hasLinks == true else { return nil }
    guard let shown else { return Work(links: frame.links) }
    let affected = affectedRows(frame, shown)
    let work = Work(
      stale: shown.linkedRows.filter(affected.contains),
      links: frame.links.filter { affected.contains($0.row) })
    return work == Work() ? nil : work
  }

  /// Returns the work with the links of rows that curses rewrites for another reason.
  func adding(_ rows: [Int], of frame: Frame, to work: Work?) -> Work? {
    let known = Set(work?.links.map(\.row) ?? [])
    let links = rows.filter { !known.contains($0) }.flatMap { frame.links(in: $0) }
    guard !links.isEmpty else { return work }
    return Work(stale: work?.stale ?? [], links: (work?.links ?? []) + links)
  }

  /// Returns the rows whose links may be wrong.
  private func affectedRows(_ frame: Frame, _ shown: Frame) -> Set<Int> {
    let changed = frame.changedRows(from: shown)
    // If curses scrolls, a row has come from another place, so at least two differ.
    if changed.count > 1 { return Set(0..<max(frame.size.rows, shown.size.rows)) }
    var rows = Set(changed)
    for row in frame.linkedRows + shown.linkedRows
    where frame.links(in: row) != shown.links(in: row) { rows.insert(row) }
    return rows
  }

  /// Returns the output that writes links over the cells of a frame.
  ///
  /// - Parameters:
  ///   - size: the terminal's.
  ///   - cursor: the position in which curses has left the cursor, and expects it.
  /// - Returns: the sequence, empty without links. It begins and ends without attributes, as curses ends a frame.
  func sequence(_ links: [LinkedCells], of frame: Frame, in size: Size, cursor: Point) -> String {
    var output = ""
    let columns = min(size.columns, frame.size.columns)
    for part in links where part.row < size.rows {
      write(frame, row: part.row, part.columns.clamped(to: 0..<columns), part.link, to: &output)
    }
    return output.isEmpty ? "" : output + "\u{1B}[m" + Self.position(cursor)
  }

  private func write(
    _ frame: Frame, row: Int, _ columns: Range<Int>, _ link: Hyperlink, to output: inout String
  ) {
    guard var column = columns.first else { return }
    // A wide character is written from its first half on.
    if column > 0, frame[column, row].isContinuation { column -= 1 }
    output += Self.position(Point(column: column, row: row))
    output += "\u{1B}]8;id=\(link.id);\(link.address)\u{1B}\\"
    var style: Style?
    while column < columns.upperBound {
      let cell = frame[column, row]
      if cell.style != style {
        style = cell.style
        output += rendition(cell.style)
      }
      output += Self.text(of: cell, fits: column + Int(cell.width) <= frame.size.columns)
      column += max(1, Int(cell.width))
    }
    output += "\u{1B}]8;;\u{1B}\\"
  }

  /// Returns the sequence that moves the cursor to a cell (CUP).
  static func position(_ point: Point) -> String { "\u{1B}[\(point.row + 1);\(point.column + 1)H" }

  /// Returns the text of a cell as curses writes it. If libc gives a character another width, it is replaced
  /// by `?` with spaces, so that the width stays. If a character does not fit in the row, it is a space.
  private static func text(of cell: Cell, fits: Bool) -> String {
    guard fits, !cell.isContinuation else { return " " }
    guard cw_columns(wchar_t(cell.base)) == Int32(cell.width) else {
      return "?" + String(repeating: " ", count: Int(cell.width) - 1)
    }
    var text = String.UnicodeScalarView()
    for (index, scalar) in cell.scalars.enumerated()
    where index == 0 || cw_columns(wchar_t(scalar.value)) == 0 { text.append(scalar) }
    return String(text)
  }

  /// Returns SGR with the complete style (ECMA-48 section 8.3.117).
  private func rendition(_ style: Style) -> String {
    var codes = ["0"]
    let (foreground, background) = (colors.curses(style.foreground), colors.curses(style.background))
    var shown = style.attributes
    if foreground.isBright { shown.insert(.bold) }
    shown.formIntersection(attributes)
    let numbers: [(Style.Attributes, String)] = [
      (.bold, "1"), (.dim, "2"), (.italic, "3"), (.underline, "4"), (.reverse, "7"),
    ]
    for (attribute, code) in numbers where shown.contains(attribute) { codes.append(code) }
    codes += color(foreground.number, 30) + color(background.number, 40)
    return "\u{1B}[" + codes.joined(separator: ";") + "m"
  }

  /// Returns the parameters of SGR for a colour.
  ///
  /// - Parameter base: 30 for the foreground, 40 for the background.
  private func color(_ number: Int32, _ base: Int32) -> [String] {
    switch number {
    case ..<0: []
    case 0..<8: ["\(base + number)"]
    case _ where colors == .direct:
      ["\(base + 8)", "2", "\(number >> 16)", "\(number >> 8 & 0xFF)", "\(number & 0xFF)"]
    case 8..<16: ["\(base + 60 + number - 8)"]
    case _: ["\(base + 8)", "5", "\(number)"]
    }
  }
}
