import CWidth
import Foundation

extension VirtualScreen {
  mutating func put(_ scalar: Unicode.Scalar) {
    let width = hasWideSigns && Self.ambiguous.contains(scalar) ? 2 : CharacterColumns.of(scalar)
    if width == 0 {
      mark(scalar)
      return
    }
    if wrapsNext || (column + width > columns && columns >= width) {
      column = 0
      lineFeed()
    }
    wrapsNext = false
    clearHalves(column, column + width - 1)
    lastCharacter = String(scalar)
    places[row][column] = Place(text: lastCharacter, look: look, link: link)
    if width == 2, column + 1 < columns { places[row][column + 1] = Place(text: "", look: look, link: link) }
    column += width
    if column >= columns {
      column = columns - 1
      wrapsNext = modes.contains(7)
    }
  }

  /// The characters of ambiguous width that programs draw with.
  private static let ambiguous = Set("●★▌×│─━┬┼▲◆·…↑↓‖".unicodeScalars)

  private mutating func mark(_ scalar: Unicode.Scalar) {
    var target = wrapsNext ? column : column - 1
    if target >= 0, places[row][target].text.isEmpty { target -= 1 }
    if target >= 0 { places[row][target].text.unicodeScalars.append(scalar) }
  }

  /// If half of a wide character is overwritten, the other half becomes a space.
  private mutating func clearHalves(_ first: Int, _ last: Int) {
    if first > 0, places[row][first].text.isEmpty { places[row][first - 1].text = " " }
    if last + 1 < columns, places[row][last + 1].text.isEmpty { places[row][last + 1].text = " " }
  }

  mutating func lineFeed() {
    wrapsNext = false
    if row == bottom { scrollUp(1, from: top) } else if row < rows - 1 { row += 1 }
  }

  mutating func reverseLineFeed() {
    wrapsNext = false
    if row == top { scrollDown(1, from: top) } else if row > 0 { row -= 1 }
  }

  var blank: Place { Place(text: " ", look: Look(background: look.background)) }
  var blankRow: [Place] { Array(repeating: blank, count: columns) }

  mutating func scrollUp(_ count: Int, from first: Int) {
    guard first <= bottom else { return }
    for _ in 0..<min(count, bottom - first + 1) {
      places.remove(at: first)
      places.insert(blankRow, at: bottom)
    }
  }

  mutating func scrollDown(_ count: Int, from first: Int) {
    guard first <= bottom else { return }
    for _ in 0..<min(count, bottom - first + 1) {
      places.remove(at: bottom)
      places.insert(blankRow, at: first)
    }
  }

  mutating func erase(_ row: Int, _ range: Range<Int>) {
    for column in range.clamped(to: 0..<columns) { places[row][column] = blank }
  }

  mutating func insertBlanks(_ count: Int) {
    let count = min(count, columns - column)
    places[row].insert(contentsOf: Array(repeating: blank, count: count), at: column)
    places[row].removeLast(count)
  }

  mutating func deleteCharacters(_ count: Int) {
    let count = min(count, columns - column)
    places[row].removeSubrange(column..<column + count)
    places[row].append(contentsOf: Array(repeating: blank, count: count))
  }

  mutating func move(column: Int, row: Int) {
    self.column = max(0, min(column, columns - 1))
    self.row = max(0, min(row, rows - 1))
    wrapsNext = false
  }

  mutating func setAlternate(_ isOn: Bool) {
    guard isOn != isAlternate else { return }
    isAlternate = isOn
    if isOn {
      mainScreen = (places, column, row)
      places = Array(repeating: Array(repeating: Place(), count: columns), count: rows)
    } else if let main = mainScreen {
      places = main.places
      move(column: main.column, row: main.row)
      mainScreen = nil
    }
  }
}

/// The columns according to libc in a UTF-8 locale, whatever the locale of the tests.
enum CharacterColumns {
  private nonisolated(unsafe) static let locale = newlocale(LC_CTYPE_MASK, "C.UTF-8", nil)

  static func of(_ scalar: Unicode.Scalar) -> Int {
    let own = uselocale(locale)
    defer { uselocale(own) }
    return max(0, Int(cw_columns(wchar_t(scalar.value))))
  }
}
