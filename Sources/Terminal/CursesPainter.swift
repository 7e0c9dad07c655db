import CNcurses
import CWidth
import Screen

/// Writes what changed between two frames into a curses window.
@MainActor
struct CursesPainter {
  let window: UnsafeMutablePointer<WINDOW>
  let isUTF8: Bool
  let colors: ColorDepth
  private var pairs: ColorPairs
  private var line: [cchar_t] = []
  private var codes: [wchar_t] = []
  // Neighbouring cells mostly have the same style.
  private var lastStyle = Style.plain
  private var lastLook: (attributes: attr_t, pair: Int32) = (0, 0)
  /// A cell of that look; curses makes one for each look, not for each cell.
  private var lastCell: cchar_t?

  init(window: UnsafeMutablePointer<WINDOW>, isUTF8: Bool, colors: ColorDepth) {
    self.window = window
    self.isUTF8 = isUTF8
    self.colors = colors
    pairs = ColorPairs(available: colors == .none ? 0 : Int(cnc_pair_limit()))
  }

  var size: Size { Size(columns: Int(cnc_columns(window)), rows: Int(cnc_rows(window))) }

  /// - Parameters:
  ///   - shown: what the window contains; nil if that is unknown.
  ///   - changed: the rows that differ from it.
  mutating func paint(_ frame: Frame, over shown: Frame?, changed: [Int]) {
    var shown = shown
    if pairs.isExhausted {
      pairs.reset()
      lastStyle = .plain
      lastLook = (0, 0)
      lastCell = nil
      shown = nil
    }
    let size = size
    if let shown, shown.size == frame.size {
      for row in changed where row < size.rows {
        paint(frame, row, frame.changedColumns(of: row, from: shown).clamped(to: 0..<size.columns))
      }
    } else {
      werase(window)
      for row in 0..<min(size.rows, frame.size.rows) {
        paint(frame, row, 0..<min(size.columns, frame.size.columns))
      }
    }
  }

  private mutating func paint(_ frame: Frame, _ row: Int, _ columns: Range<Int>) {
    guard !columns.isEmpty else { return }
    let cells = frame.row(row)
    let start = cells.startIndex
    write(
      cells[start + columns.lowerBound..<start + columns.upperBound], row: row, column: columns.lowerBound)
  }

  private mutating func write(_ cells: ArraySlice<Cell>, row: Int, column: Int) {
    line.removeAll(keepingCapacity: true)
    var index = cells.startIndex
    while index < cells.endIndex {
      let cell = cells[index]
      let width = max(1, Int(cell.width))
      append(cell, width: width, fits: index + width <= cells.endIndex)
      index += width
    }
    wmove(window, Int32(row), Int32(column))
    wadd_wchnstr(window, line, Int32(line.count))
  }

  private mutating func append(_ cell: Cell, width: Int, fits: Bool) {
    let look = look(of: cell.style)
    if var last = lastCell, fits, width == 1, !cell.hasMarks, !cell.isContinuation, cell.base < 0x7F,
      cell.base >= 0x20
    {
      last.chars.0 = wchar_t(cell.base)
      line.append(last)
      return
    }
    codes.removeAll(keepingCapacity: true)
    if !fits || cell.isContinuation {
      codes.append(0x20)
    } else if cell.base < 0x7F, cell.base >= 0x20 {
      codes.append(wchar_t(cell.base))
      if isUTF8, cell.hasMarks { appendMarks(of: cell) }
    } else if isUTF8, cw_columns(wchar_t(cell.base)) == Int32(width) {
      codes.append(wchar_t(cell.base))
      if cell.hasMarks { appendMarks(of: cell) }
    } else {
      // What the locale cannot show keeps its columns.
      codes.append(0x3F)
      append(look)
      for _ in 1..<width {
        codes[0] = 0x20
        append(look)
      }
      return
    }
    append(look)
  }

  private mutating func append(_ look: (attributes: attr_t, pair: Int32)) {
    codes.append(0)
    var cell = cchar_t()
    if cnc_set_cell(&cell, codes, look.attributes, look.pair) == OK {
      line.append(cell)
      if codes.count == 2 { lastCell = cell }
    }
    codes.removeLast()
  }

  /// Curses would start a new cell for a code point that it doesn't treat as a combining mark.
  private mutating func appendMarks(of cell: Cell) {
    for mark in cell.scalars.dropFirst() where cw_columns(wchar_t(mark.value)) == 0 {
      codes.append(wchar_t(mark.value))
    }
  }

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
    lastCell = nil
    return lastLook
  }
}
