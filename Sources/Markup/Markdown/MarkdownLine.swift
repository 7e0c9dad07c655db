import Limits

/// What a line of Markdown begins, as CommonMark 0.31 section 4 and 5 tell (tables: GFM 0.29).
enum MarkdownLine {
  struct ListMark: Equatable {
    /// `-`, `+`, `*`, `.` or `)`: another mark is another list.
    var mark: Character
    /// Nil for bullets.
    var number: Int?
    /// Where the item's text begins.
    var indent: Int
  }

  static func isBlank(_ line: Substring) -> Bool { line.utf8.allSatisfy { $0 == 0x20 } }

  static func indent(_ line: Substring) -> Int { line.utf8.prefix { $0 == 0x20 }.count }

  static func trimmed(_ text: Substring) -> Substring {
    var text = text.drop { $0 == " " }
    while text.utf8.last == 0x20 { text = text.dropLast() }
    return text
  }

  static func heading(_ line: Substring) -> (level: Int, text: Substring)? {
    guard indent(line) < 4 else { return nil }
    let rest = trimmed(line)
    let level = rest.utf8.prefix { $0 == UInt8(ascii: "#") }.count
    guard (1...6).contains(level) else { return nil }
    let text = rest.dropFirst(level)
    guard text.isEmpty || text.utf8.first == 0x20 else { return nil }
    var words = trimmed(text)
    let closing = words.utf8.reversed().prefix { $0 == UInt8(ascii: "#") }.count
    if closing > 0 {
      let before = words.dropLast(closing)
      if before.isEmpty || before.utf8.last == 0x20 { words = trimmed(before) }
    }
    return (level, words)
  }

  static func isRule(_ line: Substring) -> Bool {
    guard indent(line) < 4 else { return false }
    let marks = line.utf8.filter { $0 != 0x20 }
    guard marks.count >= 3, let first = marks.first, "-*_".utf8.contains(first) else { return false }
    return marks.allSatisfy { $0 == first }
  }

  /// The level of a heading whose underline this is.
  static func underline(_ line: Substring) -> Int? {
    guard indent(line) < 4 else { return nil }
    let text = trimmed(line)
    guard let first = text.utf8.first, text.utf8.allSatisfy({ $0 == first }) else { return nil }
    return first == UInt8(ascii: "=") ? 1 : first == UInt8(ascii: "-") ? 2 : nil
  }

  static func fence(_ line: Substring) -> (mark: Character, length: Int, indent: Int)? {
    let indent = indent(line)
    let rest = line.dropFirst(indent)
    guard indent < 4, let mark = rest.first, mark == "`" || mark == "~" else { return nil }
    let length = rest.prefix { $0 == mark }.count
    guard length >= 3, mark == "~" || !rest.dropFirst(length).contains("`") else { return nil }
    return (mark, length, indent)
  }

  static func closes(_ line: Substring, _ fence: (mark: Character, length: Int, indent: Int)) -> Bool {
    guard indent(line) < 4 else { return false }
    let text = trimmed(line)
    return text.count >= fence.length && text.allSatisfy { $0 == fence.mark }
  }

  static func isQuote(_ line: Substring) -> Bool {
    indent(line) < 4 && line.drop { $0 == " " }.utf8.first == UInt8(ascii: ">")
  }

  static func quoted(_ line: Substring) -> Substring {
    let rest = line.drop { $0 == " " }.dropFirst()
    return rest.utf8.first == 0x20 ? rest.dropFirst() : rest
  }

  static func listMark(_ line: Substring) -> ListMark? {
    let indent = indent(line)
    guard indent < 4, !isRule(line) else { return nil }
    let rest = line.dropFirst(indent)
    let digits = rest.prefix { $0.isASCII && $0.isNumber }
    let after = rest.dropFirst(digits.count)
    guard digits.count <= 9, let mark = after.first else { return nil }
    guard digits.isEmpty ? "-+*".contains(mark) : ".)".contains(mark) else { return nil }
    let text = after.dropFirst()
    guard text.isEmpty || text.utf8.first == 0x20 else { return nil }
    let spaces = self.indent(text)
    let width = indent + digits.count + 1
    let gap = isBlank(text) || spaces > 4 ? 1 : spaces
    return ListMark(mark: mark, number: Int(digits), indent: width + gap)
  }

  /// Whether a line ends the paragraph before it.
  static func interrupts(_ line: Substring) -> Bool {
    if isBlank(line) || heading(line) != nil || fence(line) != nil || isQuote(line) || isRule(line) {
      return true
    }
    guard let mark = listMark(line) else { return false }
    return (mark.number ?? 1) == 1 && !isBlank(line.dropFirst(min(mark.indent, line.utf8.count)))
  }

  /// The alignments that a table's second line gives, nil if it is none.
  static func alignments(_ line: Substring) -> [Alignment]? {
    guard line.contains("-"), line.utf8.allSatisfy({ "|-: ".utf8.contains($0) }), line.contains("|") else {
      return nil
    }
    var result: [Alignment] = []
    for cell in cells(line) {
      let text = trimmed(cell)
      guard text.contains("-"), text.drop(while: { $0 == ":" }).prefix(while: { $0 == "-" }).count > 0 else {
        return nil
      }
      let (left, right) = (text.hasPrefix(":"), text.hasSuffix(":"))
      result.append(left && right ? .center : right ? .right : .left)
    }
    return result.count > Limits.tableColumns ? nil : result
  }

  /// A table line's cells: pipes behind a backslash belong to the text.
  static func cells(_ line: Substring) -> [Substring] {
    var text = trimmed(line)
    if text.utf8.first == UInt8(ascii: "|") { text = text.dropFirst() }
    if text.utf8.last == UInt8(ascii: "|"), !text.hasSuffix("\\|") { text = text.dropLast() }
    var cells: [Substring] = []
    var start = text.startIndex
    var isEscaped = false
    for index in text.utf8.indices {
      let byte = text.utf8[index]
      if byte == UInt8(ascii: "|"), !isEscaped {
        cells.append(text[start..<index])
        start = text.utf8.index(after: index)
      }
      isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
    }
    return cells + [text[start...]]
  }
}
