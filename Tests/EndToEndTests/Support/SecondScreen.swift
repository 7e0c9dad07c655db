import CVTerm
import TerminalHarness

/// libvterm's screen for the bytes of a ``VirtualScreen``, to check the tests' own terminal with another
/// implementation.
final class SecondScreen {
  private let terminal: OpaquePointer
  private let state: OpaquePointer
  private let screen: OpaquePointer
  /// The number of a program's bytes that it has seen.
  private var seen = 0

  init(columns: Int, rows: Int) throws {
    guard let terminal = vterm_new(Int32(rows), Int32(columns)),
      let state = vterm_obtain_state(terminal), let screen = vterm_obtain_screen(terminal)
    else { throw HouseholdFailure("libvterm gives no terminal") }
    (self.terminal, self.state, self.screen) = (terminal, state, screen)
    vterm_set_utf8(terminal, 1)
    vterm_screen_enable_altscreen(screen, 1)
    vterm_screen_reset(screen, 1)
  }

  deinit { vterm_free(terminal) }

  func feed(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { bytes in
      _ = vterm_input_write(terminal, bytes.assumingMemoryBound(to: CChar.self).baseAddress, bytes.count)
    }
  }

  func resize(columns: Int, rows: Int) { vterm_set_size(terminal, Int32(rows), Int32(columns)) }

  /// Takes what the program of a terminal wrote since the last time.
  func follow(_ terminal: PseudoTerminal) {
    feed(Array(terminal.bytes[seen...]))
    seen = terminal.bytes.count
  }

  // MARK: - The comparison

  /// Attributes that libvterm does not know: dim and invisible.
  private static let unknown: Set<Int> = [2, 8]

  /// Returns the first differences of the screens, one per line.
  func differences(from own: VirtualScreen) -> [String] {
    var differences: [String] = []
    var position = VTermPos()
    vterm_state_get_cursorpos(state, &position)
    if (own.column, own.row) != (Int(position.col), Int(position.row)) {
      differences.append(
        "the cursor: \(own.column),\(own.row), libvterm \(position.col),\(position.row)")
    }
    for row in 0..<own.rows {
      for column in 0..<own.columns where differences.count < 5 {
        if let difference = difference(own.place(column: column, row: row), column, row) {
          differences.append("\(column),\(row): \(difference)")
        }
      }
    }
    return differences
  }

  private func difference(_ own: VirtualScreen.Place, _ column: Int, _ row: Int) -> String? {
    var cell = VTermScreenCell()
    vterm_screen_get_cell(screen, VTermPos(row: Int32(row), col: Int32(column)), &cell)
    let text = SecondScreen.text(of: cell)
    guard own.text.unicodeScalars.elementsEqual((text ?? " ").unicodeScalars) else {
      return "\(own.text.debugDescription), libvterm \((text ?? " ").debugDescription)"
    }
    // The look of a wide character is in its first half.
    if own.text.isEmpty { return nil }
    let background = Int(cvt_background(&cell))
    guard SecondScreen.color(own.look.background) == background else {
      return "background \(own.look.background), libvterm \(background)"
    }
    // Only the background of erased cells is visible.
    let bits = text == nil ? 0 : cvt_attributes(&cell)
    let attributes = Set((1...9).filter { bits & (1 << UInt32($0)) != 0 })
    guard own.look.attributes.subtracting(SecondScreen.unknown) == attributes else {
      return "attributes \(own.look.attributes.sorted()), libvterm \(attributes.sorted())"
    }
    let foreground = text == nil ? -1 : Int(cvt_foreground(&cell))
    guard SecondScreen.color(own.look.foreground) == foreground else {
      return "foreground \(own.look.foreground), libvterm \(foreground)"
    }
    return nil
  }

  /// Returns the text of a cell; `nil` if nothing was written, empty for the second half of a wide character.
  private static func text(of cell: VTermScreenCell) -> String? {
    let scalars = withUnsafeBytes(of: cell.chars) { Array($0.bindMemory(to: UInt32.self)) }.prefix { $0 != 0 }
    if scalars.isEmpty { return nil }
    if scalars.first == .max { return "" }
    return String(String.UnicodeScalarView(scalars.compactMap(Unicode.Scalar.init)))
  }

  /// SGR's parameters of a colour as the shim's number.
  private static func color(_ parameters: String) -> Int {
    let numbers = parameters.split(separator: ";").compactMap { Int($0) }
    switch numbers.first {
    case nil: return -1
    case 38, 48:
      if numbers[1] == 5 { return numbers[2] }
      return 256 + (numbers[2] << 16 | numbers[3] << 8 | numbers[4])
    case let number?: return number % 10 + (number >= 90 ? 8 : 0)
    }
  }
}
