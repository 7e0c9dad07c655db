package import Formats
package import Screen
import Words

/// A column of a report: a value of each row, as text, as JSON, or as both.
package struct Column<Row> {
  /// The condition for filling cells with spaces to the width of their column.
  package enum Filling {
    case always
    /// The cells are filled on a terminal only: scripts expect lines without these spaces.
    case onTerminal
    /// The cells, which contain numbers, are filled on a terminal only, with spaces before the text.
    case inFront
    case never
  }

  fileprivate var key: String?
  fileprivate var text: ((Row) -> StyledText)?
  fileprivate var json: ((Row) -> JSONValue)?
  fileprivate var filling: Filling
  /// The number of spaces before the next column.
  fileprivate var gap: Int

  /// - Parameters:
  ///   - key: the key in JSON, which is stable.
  ///   - styled: the text with its styles.
  package init(
    _ key: String? = nil, filling: Filling = .never, gap: Int = 2, styled: @escaping (Row) -> StyledText,
    json: ((Row) -> JSONValue)? = nil
  ) {
    (self.key, self.filling, self.gap) = (key, filling, gap)
    (self.text, self.json) = (styled, json)
  }

  /// - Parameter text: the text as it was received; the column sanitizes it.
  package init(
    _ key: String? = nil, filling: Filling = .never, gap: Int = 2, style: Style = .plain,
    text: @escaping (Row) -> String, json: ((Row) -> JSONValue)? = nil
  ) {
    self.init(
      key, filling: filling, gap: gap,
      styled: { StyledText(SafeText(untrusted: text($0)), style: style) }, json: json)
  }

  /// Creates a column that appears only in JSON.
  package init(_ key: String, json: @escaping (Row) -> JSONValue) {
    (self.key, self.json, filling, gap) = (key, json, .never, 0)
  }
}

/// The rows that a command prints, as lines of text or as JSON.
package struct Report<Row> {
  private let rows: [Row]
  private let columns: [Column<Row>]

  package init(_ rows: [Row], _ columns: [Column<Row>]) { (self.rows, self.columns) = (rows, columns) }

  /// Returns a line for each row. Empty cells that are not filled with spaces take no space.
  package func lines(forTerminal: Bool = false) -> [StyledText] {
    let shown = columns.filter { $0.text != nil }
    let cells = rows.map { row in shown.map { $0.text?(row) ?? .empty } }
    let widths = shown.indices.map { column -> Int in
      switch shown[column].filling {
      case .always: break
      case .onTerminal, .inFront: if !forTerminal { return 0 }
      case .never: return 0
      }
      return cells.lazy.map { $0[column].columns }.max() ?? 0
    }
    return cells.map { row in
      var line = StyledText()
      for (index, cell) in row.enumerated() where !cell.isEmpty || widths[index] > 0 {
        let spaces = StyledText(.spaces(widths[index] - cell.columns))
        let isInFront = shown[index].filling == .inFront
        line += (isInFront ? spaces + cell : cell + spaces) + StyledText(.spaces(shown[index].gap))
      }
      return line.withoutSpacesAtEnd
    }
  }

  /// The JSON objects, one per row.
  package var objects: [JSONValue] {
    rows.map { row in
      .object(
        JSONObject(
          pairs: columns.compactMap { column in
            guard let key = column.key, let json = column.json else { return nil }
            return (key, json(row))
          }))
    }
  }

  /// The lines of JSON, one per row.
  package var jsonLines: [String] { objects.map { SafeOutput.json($0) } }
}
