import CNcurses
import CWidth
import Screen

/// Writes the rows that changed between two frames into a curses window.
@MainActor
struct CursesPainter {
  let window: CursesWindow
  let isUTF8: Bool
  let colors: ColorDepth
  private var pairs: ColorPairs
  private var line: [cchar_t] = []
  // The last style: neighbouring cells mostly have the same one.
  private var lastStyle = Style.plain
  private var lastLook: (attributes: attr_t, pair: Int32) = (0, 0)

  init(window: CursesWindow, isUTF8: Bool, colors: ColorDepth) {
    self.window = window
    self.isUTF8 = isUTF8
    self.colors = colors
    pairs = ColorPairs(available: colors == .none ? 0 : Int(cnc_pair_limit()))
  }

  var size: Size { Size(columns: Int(cnc_columns(window)), rows: Int(cnc_rows(window))) }

  /// Writes the rows of a frame that differ from the window's content.
  ///
  /// - Parameter shown: the content of the window, or `nil` if it is unknown.
  mutating func paint(_ frame: Frame, over shown: Frame?) {
    var shown = shown
    if pairs.isExhausted {
      pairs.reset()
      lastStyle = .plain
      lastLook = (0, 0)
      shown = nil
    }
    if shown?.size != frame.size {
      werase(window)
      shown = nil
    }
    for (row, columns) in frame.changes(from: shown ?? Frame(size: .zero)) where row < size.rows {
      let columns = columns.clamped(to: 0..<size.columns)
      if !columns.isEmpty { write(frame.row(row)[columns], row: row) }
    }
  }

  /// Writes cells; curses finds those that differ from the terminal.
  private mutating func write(_ cells: ArraySlice<Cell>, row: Int) {
    line.removeAll(keepingCapacity: true)
    var index = cells.startIndex
    while index < cells.endIndex {
      let width = max(1, Int(cells[index].width))
      append(cells[index], width: width, fits: index + width <= cells.endIndex)
      index += width
    }
    wmove(window, Int32(row), Int32(cells.startIndex))
    wadd_wchnstr(window, line, Int32(line.count))
  }

  private mutating func append(_ cell: Cell, width: Int, fits: Bool) {
    let look = look(of: cell.style)
    if !fits || cell.isContinuation {
      append(0x20, [], look)
    } else if cell.base < 0x7F || isUTF8 && cw_columns(wchar_t(cell.base)) == Int32(width) {
      append(wchar_t(cell.base), isUTF8 && cell.hasMarks ? marks(of: cell) : [], look)
    } else {
      // A character that the locale cannot show keeps its columns.
      append(0x3F, [], look)
      for _ in 1..<width { append(0x20, [], look) }
    }
  }

  private mutating func append(
    _ base: wchar_t, _ marks: [wchar_t], _ look: (attributes: attr_t, pair: Int32)
  ) {
    var cell = cchar_t()
    let result = cnc_set_cell(&cell, base, marks, Int32(marks.count), look.attributes, look.pair)
    if result == OK { line.append(cell) }
  }

  /// Returns the marks of a cell that curses treats as combining marks: it would start a new cell for others.
  private func marks(of cell: Cell) -> [wchar_t] {
    cell.scalars.dropFirst().map { wchar_t($0.value) }.filter { cw_columns($0) == 0 }
  }

  /// Returns the attributes and the colour pair of a style in curses.
  private mutating func look(of style: Style) -> (attributes: attr_t, pair: Int32) {
    if style == lastStyle { return lastLook }
    var attributes: attr_t = 0
    if style.attributes.contains(.bold) { attributes |= cnc_bold }
    if style.attributes.contains(.dim) { attributes |= cnc_dim }
    if style.attributes.contains(.italic) { attributes |= cnc_italic }
    if style.attributes.contains(.underline) { attributes |= cnc_underline }
    if style.attributes.contains(.reverse) { attributes |= cnc_reverse }
    let foreground = colors.curses(style.foreground)
    let background = colors.curses(style.background)
    if foreground.isBright { attributes |= cnc_bold }
    let wanted = ColorPairs.Pair(foreground: foreground.number, background: background.number)
    let pair = pairs.number(for: wanted) { number, pair in
      init_extended_pair(number, pair.foreground, pair.background) == OK
    }
    lastStyle = style
    lastLook = (attributes, pair)
    return lastLook
  }
}
