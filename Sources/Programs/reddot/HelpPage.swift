import Basics
import Markup
import Screen
import Words

/// A page of the manual as lines of text: headings at the margin, everything else below them.
enum HelpPage {
  /// The maximum width of a line of prose, which is hard to read if longer.
  private static let widest = 80
  private static let indentation = 3

  /// - Parameter columns: the width of the terminal.
  static func lines(_ text: String, columns: Int, theme: MarkupTheme) -> [StyledText] {
    let document = Document.markdown(text)
    let width = max(20, min(columns, widest) - indentation)
    var lines: [StyledText] = []
    func add(_ blocks: [Block], links: [Link] = []) {
      let text = Document(blocks: blocks, links: links).layout(width: width, theme: theme.withoutSigns)
      if !text.isEmpty, !lines.isEmpty { lines.append(.empty) }
      lines += text.map { $0.isEmpty ? .empty : StyledText(.spaces(indentation)) + $0 }
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
      if !lines.isEmpty { lines.append(.empty) }
      let isMain = level < 3
      lines.append(
        StyledText(
          SafeText(untrusted: isMain ? heading.uppercased() : " " + heading),
          style: Style(attributes: .bold, roles: isMain ? .heading : [])))
    }
    add(part, links: document.links)
    return lines
  }

  /// Returns the help of the argument parser with bold headings, such as `USAGE:`, and bold names of commands and
  /// options.
  static func styled(parserHelp text: String) -> [StyledText] {
    var isList = false
    return text.split(onBytes: "\n", omittingEmptySubsequences: false).map { line in
      let word = line.prefix { $0.isUppercase || $0 == " " }
      if !word.isEmpty, !line.hasPrefix(" "), line.dropFirst(word.count).first == ":" {
        isList = line.utf8.count == word.utf8.count + 1 && !word.hasPrefix("EXAMPLE")
        return StyledText("\(untrusted: String(word)):", style: Style(attributes: .bold, roles: .heading))
          + StyledText(SafeText(untrusted: String(line.dropFirst(word.count + 1))))
      }
      guard isList, line.hasPrefix("  "), line.dropFirst(2).first != " " else {
        return StyledText(SafeText(untrusted: String(line)))
      }
      // The name ends where two spaces begin.
      let rest = line.dropFirst(2)
      let end = rest.indices.first { rest[$0...].utf8.starts(with: "  ".utf8) } ?? rest.endIndex
      let name = String(rest[..<end])
      return StyledText("  \(untrusted: name)", style: Style(attributes: .bold, roles: .key))
        + StyledText(SafeText(untrusted: String(line.dropFirst(2 + name.count))))
    }
  }
}
