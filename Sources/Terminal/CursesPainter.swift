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
  ///   - change: how the frame differs from that.
  mutating func paint(_ frame: Frame, over shown: Frame?, _ change: FrameChange?) {
    var shown = shown
    if pairs.isExhausted {
      pairs.reset()
      lastStyle = .plain
      lastLook = (0, 0)
      lastCell = nil
      shown = nil
    }
    let size = size
    if let shown, let change, shown.size == frame.size, change.move.map({ move($0) }) ?? true {
      for row in change.rows where row < size.rows {
        let columns = change.former(row).map { frame.changedColumns(of: row, from: shown, $0) }
        paint(frame, row, (columns ?? 0..<frame.size.columns).clamped(to: 0..<size.columns))
      }
    } else {
      werase(window)
      for row in 0..<min(size.rows, frame.size.rows) {
        paint(frame, row, 0..<min(size.columns, frame.size.columns))
      }
    }
  }

  /// Moves rows of the window, which costs less than to write their cells again. How the terminal gets there is for curses
  /// to find out.
  ///
  /// - Returns: whether the window has these rows.
  private func move(_ move: FrameChange.Move) -> Bool {
    let rows = move.touched
    guard rows.upperBound <= size.rows else { return false }
    scrollok(window, true)
    defer { scrollok(window, false) }
    return wsetscrreg(window, Int32(rows.lowerBound), Int32(rows.upperBound - 1)) == OK
      && wscrl(window, Int32(move.up)) == OK
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
    cells.withUnsafeBufferPointer { cells in
      var index = 0
      while index < cells.count {
        let cell = cells[index]
        // As most are: it differs from the cell before by its code only.
        if let code = cell.asciiCode, var plain = lastCell, cell.style == lastStyle {
          plain.chars.0 = wchar_t(code)
          line.append(plain)
          index += 1
          continue
        }
        let width = max(1, Int(cell.width))
        append(cell, width: width, fits: index + width <= cells.count)
        index += width
      }
    }
    wmove(window, Int32(row), Int32(column))
    wadd_wchnstr(window, line, Int32(line.count))
  }

  private mutating func append(_ cell: Cell, width: Int, fits: Bool) {
    let look = look(of: cell.style)
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
