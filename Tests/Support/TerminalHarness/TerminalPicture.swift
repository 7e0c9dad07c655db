import Foundation

/// The screen of a terminal in the user's colours. It is written as an SVG of text, and read back for a comparison.
package struct TerminalPicture: Hashable, Sendable {
  /// The colours of a terminal.
  package enum Palette: String, CaseIterable, Sendable {
    case dark, light

    var background: String { self == .dark ? "#0d1117" : "#ffffff" }
    var foreground: String { self == .dark ? "#d5dbe3" : "#24292f" }

    /// The 16 that programs name by number.
    var named: [String] {
      switch self {
      case .dark:
        [
          "#484f58", "#ff7b72", "#3fb950", "#d9a441", "#58a6ff", "#d2a8ff", "#4cc4cf", "#c9d1d9",
          "#7d8590", "#ffa198", "#56d364", "#e3b341", "#79c0ff", "#e2c5ff", "#7ee2ea", "#ffffff",
        ]
      case .light:
        [
          "#24292f", "#cf222e", "#1a7f37", "#8a5a00", "#0969da", "#8250df", "#13727c", "#57606a",
          "#6e7781", "#a40e26", "#2da44e", "#9a6700", "#218bff", "#a475f9", "#3192aa", "#8c959f",
        ]
      }
    }

    /// A colour as the parameters of SGR name it.
    func color(_ parameters: String, else standard: String) -> String {
      let numbers = parameters.split(separator: ";").compactMap { Int($0) }
      switch numbers.first {
      case nil: return standard
      case 38, 48:
        if numbers.count == 5 { return Self.hex(numbers[2], numbers[3], numbers[4]) }
        return numbers.count == 3 ? indexed(numbers[2]) : standard
      case let number?: return named[number % 10 + (number >= 90 ? 8 : 0)]
      }
    }

    private func indexed(_ index: Int) -> String {
      if index < 16 { return named[index] }
      if index >= 232 {
        let grey = 8 + (index - 232) * 10
        return Self.hex(grey, grey, grey)
      }
      let levels = [0, 95, 135, 175, 215, 255]
      let cube = index - 16
      return Self.hex(levels[cube / 36], levels[cube / 6 % 6], levels[cube % 6])
    }

    static func hex(_ red: Int, _ green: Int, _ blue: Int) -> String {
      "#" + [red, green, blue].map { String(format: "%02x", $0) }.joined()
    }

    /// A colour that is dimmed: halfway to its background.
    static func mixed(_ color: String, _ other: String) -> String {
      func parts(_ text: String) -> [Int] {
        let value = Int(text.dropFirst(), radix: 16) ?? 0
        return [value >> 16, value >> 8 & 255, value & 255]
      }
      let mixed = zip(parts(color), parts(other)).map { ($0 * 3 + $1 * 2) / 5 }
      return hex(mixed[0], mixed[1], mixed[2])
    }
  }

  /// How a cell looks.
  struct Look: Hashable, Sendable {
    var foreground: String
    var background: String
    var isBold = false
    var isItalic = false
    var isUnderlined = false
    var isStruck = false
  }

  struct Cell: Hashable, Sendable {
    /// Empty for the second half of a wide character.
    var text = " "
    var look: Look

    /// Whether only the background of the cell is visible.
    var isBlank: Bool { text == " " && !look.isUnderlined && !look.isStruck }
  }

  package let columns: Int
  package let rows: Int
  package let palette: Palette
  var cells: [[Cell]]

  package init(_ screen: VirtualScreen, _ palette: Palette) {
    (columns, rows, self.palette) = (screen.columns, screen.rows, palette)
    cells = (0..<screen.rows).map { row in
      (0..<screen.columns).map { column in
        let place = screen.place(column: column, row: row)
        return Cell(text: place.text, look: Look(place.look, palette))
      }
    }
    hideBlanks()
  }

  /// So that pictures are equal if they look the same.
  private mutating func hideBlanks() {
    for row in cells.indices {
      for column in cells[row].indices where cells[row][column].isBlank {
        let background = cells[row][column].look.background
        cells[row][column].look = Look(foreground: palette.foreground, background: background)
      }
    }
  }

  /// The rows as text, without the spaces at their ends.
  package var lines: [String] {
    cells.map { row in
      let line = row.map(\.text).joined()
      return String(line.reversed().drop { $0 == " " }.reversed())
    }
  }

  /// The first rows that look different in the other picture, as text.
  package func differences(from other: TerminalPicture) -> [String] {
    guard (columns, rows) == (other.columns, other.rows) else {
      return ["\(columns)×\(rows) cells, not \(other.columns)×\(other.rows)"]
    }
    let (mine, others) = (lines, other.lines)
    return (0..<rows).filter { cells[$0] != other.cells[$0] }.prefix(5).map { row in
      if mine[row] != others[row] {
        return "row \(row): “\(mine[row])”, not “\(others[row])”"
      }
      let column = (0..<columns).first { cells[row][$0] != other.cells[row][$0] } ?? 0
      return "row \(row), column \(column): \(cells[row][column]), not \(other.cells[row][column])"
    }
  }
}

extension TerminalPicture.Look {
  init(_ look: VirtualScreen.Look, _ palette: TerminalPicture.Palette) {
    foreground = palette.color(look.foreground, else: palette.foreground)
    background = palette.color(look.background, else: palette.background)
    if look.attributes.contains(7) { (foreground, background) = (background, foreground) }
    if look.attributes.contains(2) {
      foreground = TerminalPicture.Palette.mixed(foreground, background)
    }
    isBold = look.attributes.contains(1)
    isItalic = look.attributes.contains(3)
    isUnderlined = look.attributes.contains(4)
    isStruck = look.attributes.contains(9)
  }
}
