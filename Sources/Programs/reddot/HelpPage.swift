import Markup
import Screen

/// A page of the manual as lines of plain text: headings at the margin, all else below them.
enum HelpPage {
  /// A line of prose that is longer is hard to read.
  private static let widest = 80
  private static let indentation = 3

  /// - Parameter columns: of the terminal.
  static func lines(_ text: String, columns: Int, theme: MarkupTheme) -> [String] {
    let document = Document.markdown(text)
    let width = max(20, min(columns, widest) - indentation)
    var lines: [String] = []
    func add(_ blocks: [Block], links: [Link] = []) {
      let text = Document(blocks: blocks, links: links).layout(width: width, theme: theme)
      if !text.isEmpty, !lines.isEmpty { lines.append("") }
      lines += text.map { $0.isEmpty ? "" : String(repeating: " ", count: indentation) + $0.plain }
    }
    var part: [Block] = []
    for block in document.blocks {
      guard case .heading(let level, let words) = block.content else {
        part.append(block)
        continue
      }
      add(part)
      part = []
      let heading = words.lines.joined().map(\.text.text).joined()
      if !lines.isEmpty { lines.append("") }
      lines.append(level < 3 ? heading.uppercased() : " " + heading)
    }
    add(part, links: document.links)
    return lines
  }
}
