/// The screen of an xterm for the received bytes: with the control sequences that ncurses
/// sends, and a record of other requests.
package struct VirtualScreen: Sendable {
  /// The look of a cell: SGR numbers of its attributes, and the parameters of its colours (`31`, `38;5;9`).
  package struct Look: Hashable, Sendable {
    package var attributes: Set<Int> = []
    package var foreground = ""
    package var background = ""
  }

  package struct Place: Hashable, Sendable {
    /// A character with its marks; empty for the second half of a wide one.
    package var text = " "
    package var look = Look()
    /// The parameters and the address of the cell's link, in the form of OSC 8; `nil` without a link.
    package var link: String?
  }

  package internal(set) var columns: Int
  package internal(set) var rows: Int
  package internal(set) var column = 0
  package internal(set) var row = 0
  package internal(set) var isCursorVisible = true
  package internal(set) var isAlternate = false
  /// The private modes that are set: 1000, 1004, 2004 and so on, except for those of the cursor and of a frame.
  package internal(set) var modes: Set<Int> = [7]
  /// Whether a frame has begun and not ended (mode 2026); until then, a terminal shows the previous screen.
  package internal(set) var isUpdating = false
  package internal(set) var isKeypadApplication = false
  package internal(set) var title = ""
  package internal(set) var bells = 0
  /// The base64 content of OSC 52.
  package internal(set) var copies: [String] = []
  /// A control string other than OSC, and the position of the cursor.
  package struct SentString: Hashable, Sendable {
    /// The character after ESC: `P` for DCS, `_` for APC.
    package var kind: Character
    package var text: String
    package var column: Int
    package var row: Int
  }

  package internal(set) var strings: [SentString] = []
  /// The responses to queries for the cursor's position (DSR 6), until they are sent.
  package internal(set) var positionAnswers: [String] = []
  /// The number of times that the terminal was asked for its background colour.
  package internal(set) var backgroundQuestions = 0
  /// Whether characters of ambiguous width (UAX #11) have two columns.
  let hasWideSigns: Bool
  /// Unknown sequences, so that a test can check that there are none.
  package internal(set) var unknown: [String] = []

  var places: [[Place]]
  var look = Look()
  var link: String?
  var titles: [String] = []
  var top = 0
  var bottom: Int
  /// Whether the last column was written: the next character wraps to the next row.
  var wrapsNext = false
  var saved = (column: 0, row: 0, look: Look())
  var mainScreen: (places: [[Place]], column: Int, row: Int)?
  var lastCharacter = ""
  var parser = Parser()

  package init(columns: Int, rows: Int, hasWideSigns: Bool = false) {
    self.hasWideSigns = hasWideSigns
    self.columns = columns
    self.rows = rows
    bottom = rows - 1
    places = Array(repeating: Array(repeating: Place(), count: columns), count: rows)
  }

  package func place(column: Int, row: Int) -> Place {
    guard places.indices.contains(row), places[row].indices.contains(column) else { return Place() }
    return places[row][column]
  }

  /// The rows as text, without the spaces at their ends.
  package var lines: [String] {
    places.map { row in
      let line = row.map(\.text).joined()
      return String(line.reversed().drop { $0 == " " }.reversed())
    }
  }

  package var text: String { lines.joined(separator: "\n") }

  /// Returns the beginning of the given text, in columns of the screen.
  package func position(of text: String) -> (column: Int, row: Int)? {
    for (row, places) in places.enumerated() {
      for column in places.indices where !places[column].text.isEmpty {
        if places[column...].map(\.text).joined().hasPrefix(text) { return (column, row) }
      }
    }
    return nil
  }

  package mutating func takePositionAnswers() -> String {
    defer { positionAnswers = [] }
    return positionAnswers.joined()
  }

  package mutating func resize(columns: Int, rows: Int) {
    places = VirtualScreen.fitted(places, columns, rows)
    if let main = mainScreen {
      mainScreen = (VirtualScreen.fitted(main.places, columns, rows), main.column, main.row)
    }
    (self.columns, self.rows) = (columns, rows)
    (top, bottom) = (0, rows - 1)
    (column, row) = (min(column, columns - 1), min(row, rows - 1))
    wrapsNext = false
  }

  private static func fitted(_ places: [[Place]], _ columns: Int, _ rows: Int) -> [[Place]] {
    (0..<rows).map { row in
      (0..<columns).map { column in
        row < places.count && column < places[row].count ? places[row][column] : Place()
      }
    }
  }
}
