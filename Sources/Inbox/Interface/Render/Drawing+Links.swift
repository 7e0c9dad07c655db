import Basics
import Markup
import Messages
import Screen

extension Drawing {
  /// Writes a line. The links in it are also links of the terminal if they lead outside.
  ///
  /// - Parameters:
  ///   - owner: distinguishes links with the same number and URL; the same in every frame.
  ///   - address: returns the URL of the link with a number.
  mutating func write(
    _ line: StyledText, at place: Point, in area: Rect, owner: String, address: (Int) -> String?
  ) {
    frame.write(line, at: place, in: area)
    var column = place.column
    for run in line.runs {
      defer { column += run.text.columns }
      // The URL is checked here too, so that no other scheme can reach the terminal.
      guard let number = run.link, let address = address(number),
        address.utf8.count <= Limits.hyperlinkBytes,
        let openable = OpenableAddress(address), openable.place == .outside,
        let link = Hyperlink(openable.text, id: "\(owner)-\(number)")
      else { continue }
      let part = Rect(column: column, row: place.row, columns: run.text.columns, rows: 1)
      frame.link(link, in: part.intersection(area))
    }
  }

  /// The value that distinguishes the links of the message in the reader from links elsewhere on the screen.
  var readerLinks: String { state.shown.reader.message.map { "m\($0.id.rawValue)" } ?? "m" }
}
