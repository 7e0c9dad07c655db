import Basics
import Markup
import Messages
import Screen

extension Drawing {
  /// Writes a line. What shows a link of it is a link of the terminal too, if it leads outside.
  ///
  /// - Parameters:
  ///   - owner: tells links of one number and address apart; the same in every frame.
  ///   - address: the address of the link with that number.
  mutating func write(
    _ line: StyledText, at place: Point, in area: Rect, owner: String, address: (Int) -> String?
  ) {
    frame.write(line, at: place, in: area)
    var column = place.column
    for run in line.runs {
      defer { column += run.text.columns }
      // The address is vetted here too: whatever comes this way, no other scheme reaches the terminal.
      guard let number = run.link, let address = address(number),
        address.utf8.count <= Limits.hyperlinkBytes,
        let openable = OpenableAddress(address), openable.place == .outside,
        let link = Hyperlink(openable.text, id: "\(owner)-\(number)")
      else { continue }
      let part = Rect(column: column, row: place.row, columns: run.text.columns, rows: 1)
      frame.link(link, in: part.intersection(area))
    }
  }

  /// What links of the message in the reader belong to.
  var readerLinks: String { state.shown.reader.message.map { "m\($0.id.rawValue)" } ?? "m" }
}
