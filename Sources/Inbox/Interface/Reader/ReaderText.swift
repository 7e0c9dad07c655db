import Markup
import Messages
import Queries
import Screen

/// The lines of the reader, with the rows of pictures between them.
struct ReaderText: Hashable, Sendable {
  /// Rows that may be added, changed or removed while the text is read.
  private struct Insertion: Hashable {
    /// The number of lines of the text above the rows.
    var above: Int
    /// The index of the first row in `lines`.
    var line: Int
    var count: Int
  }

  /// A line by its content, so that it is found again after other pictures were added.
  enum Place: Hashable {
    /// A line of the text, by its number without the rows of pictures.
    case text(Int)
    /// A row of a picture, by the picture's index.
    case picture(Int, row: Int)
  }

  private(set) var lines: [StyledText] = []
  /// The positions of the message's pictures in `lines`.
  private(set) var pictures: [PicturePlace] = []
  private var insertions: [Insertion] = []
  private var parts = ReaderPage.Parts()

  init() {}

  /// Creates the lines of a message with the rows of its pictures.
  ///
  /// - Parameters:
  ///   - poster: the rows of the poster, which is the picture of the whole message.
  ///   - rows: the rows of a picture by its index.
  init(_ page: ReaderPage.Lines, poster: [StyledText], rows: (Int, PicturePlace) -> [StyledText]) {
    parts = page.parts
    lines.reserveCapacity(page.lines.count)
    var written = 0
    func copy(to line: Int) {
      guard line > written else { return }
      lines += page.lines[written..<min(line, page.lines.count)]
      written = line
    }
    func insert(_ rows: [StyledText], at line: Int, isAlone: Bool) {
      let first = lines.count
      if !rows.isEmpty {
        if isAlone, lines.last?.isEmpty == false { lines.append(.empty) }
        lines += rows
        if isAlone, page.lines.indices.contains(line), !page.lines[line].isEmpty { lines.append(.empty) }
      }
      insertions.append(Insertion(above: line, line: first, count: lines.count - first))
    }
    var hasPoster = false
    for (index, place) in page.places.enumerated() {
      if place.line > page.poster, !hasPoster {
        copy(to: page.poster)
        insert(poster, at: page.poster, isAlone: true)
        hasPoster = true
      }
      copy(to: place.line)
      var here = place
      here.line = lines.count
      pictures.append(here)
      insert(rows(index, place), at: place.line, isAlone: place.isAlone)
    }
    if !hasPoster {
      copy(to: page.poster)
      insert(poster, at: page.poster, isAlone: true)
    }
    copy(to: page.lines.count)
  }

  /// Returns the parts of a message to which a line belongs.
  func fields(ofLine line: Int) -> Set<Query.TextField> {
    if case .text(let line) = place(of: line) { parts.fields(ofLine: line) } else { [] }
  }

  func place(of line: Int) -> Place {
    var above = 0
    for (index, insertion) in insertions.enumerated() {
      if line < insertion.line { break }
      if line < insertion.line + insertion.count { return .picture(index, row: line - insertion.line) }
      above += insertion.count
    }
    return .text(line - above)
  }

  /// Returns the line in these lines with the content that a place refers to. The place may be from earlier
  /// lines of the same width.
  func line(at place: Place) -> Int {
    switch place {
    case .text(let line):
      return insertions.reduce(line) { $1.above <= line ? $0 + $1.count : $0 }
    case .picture(let index, let row):
      guard insertions.indices.contains(index) else { return 0 }
      return insertions[index].line + min(row, max(0, insertions[index].count - 1))
    }
  }
}
