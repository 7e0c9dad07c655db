extension VirtualScreen {
  /// Reads bytes in any pieces.
  package mutating func feed(_ bytes: some Sequence<UInt8>) {
    for byte in bytes {
      guard let token = parser.take(byte) else { continue }
      switch token {
      case .character(let scalar): put(scalar)
      case .control(let byte): obey(control: byte)
      case .escape(let text): obey(escape: text)
      case .sequence(let parameters, let final): obey(parameters, final)
      case .command(let text): obey(command: text)
      case .string(let kind, let text):
        strings.append(SentString(kind: kind, text: text, column: column, row: row))
      }
    }
  }

  private mutating func obey(control byte: UInt8) {
    switch byte {
    case 0x07: bells += 1
    case 0x08: move(column: column - 1, row: row)
    // In the last column a tab does nothing, and a pending wrap stays.
    case 0x09: if column < columns - 1 { move(column: (column / 8 + 1) * 8, row: row) }
    case 0x0A, 0x0B, 0x0C: lineFeed()
    case 0x0D: move(column: 0, row: row)
    case 0x00, 0x0E, 0x0F: break
    default: unknown.append("control \(byte)")
    }
  }

  private mutating func obey(escape text: String) {
    switch text {
    case "7": saved = (column, row, look)
    case "8":
      move(column: saved.column, row: saved.row)
      look = saved.look
    case "D": lineFeed()
    case "M": reverseLineFeed()
    case "E":
      move(column: 0, row: row)
      lineFeed()
    case "=": isKeypadApplication = true
    case ">": isKeypadApplication = false
    // The end of a string, which a program may send to make sure that none is open.
    case "(B", ")B", ")0", "\\": break
    default: unknown.append("ESC \(text)")
    }
  }

  private mutating func obey(command text: String) {
    let parts = text.split(separator: ";", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    switch parts[0] {
    case "0", "2": title = parts.last ?? ""
    case "8": link = parts.last == ";" ? nil : parts.last
    case "52": copies.append(String(parts.last?.split(separator: ";").last ?? ""))
    case "11" where parts.last == "?": backgroundQuestions += 1
    case "104": break
    default: unknown.append("OSC \(text)")
    }
  }

  private mutating func obey(_ text: String, _ final: Character) {
    if text.hasPrefix("?") {
      if final == "h" || final == "l" { return setModes(text.dropFirst(), final == "h") }
      unknown.append("CSI \(text)\(final)")
      return
    }
    let values = text.split(separator: ";", omittingEmptySubsequences: false).map { Int($0) }
    let first = values.first.flatMap { $0 } ?? 0
    let count = max(1, first)
    switch final {
    case "A": move(column: column, row: max(row - count, row >= top ? top : 0))
    case "e": move(column: column, row: row + count)
    case "B": move(column: column, row: min(row + count, row <= bottom ? bottom : rows - 1))
    case "C", "a": move(column: column + count, row: row)
    case "D": move(column: column - count, row: row)
    case "G", "`": move(column: count - 1, row: row)
    case "d": move(column: column, row: count - 1)
    case "H", "f": move(column: max(1, values.count > 1 ? values[1] ?? 1 : 1) - 1, row: count - 1)
    case "J": eraseDisplay(first)
    case "K": erase(row, [column..<columns, 0..<column + 1, 0..<columns][min(first, 2)])
    case "X": erase(row, column..<column + count)
    case "@": insertBlanks(count)
    case "P": deleteCharacters(count)
    case "L": if (top...bottom).contains(row) { scrollDown(count, from: row) }
    case "M": if (top...bottom).contains(row) { scrollUp(count, from: row) }
    case "S": scrollUp(count, from: top)
    case "T": scrollDown(count, from: top)
    case "b":
      for _ in 0..<count { lastCharacter.unicodeScalars.forEach { put($0) } }
    case "I": move(column: (column / 8 + count) * 8, row: row)
    case "Z": move(column: max(0, (column - 1) / 8 - (count - 1)) * 8, row: row)
    case "r":
      (top, bottom) = (count - 1, min(rows, (values.count > 1 ? values[1] : nil) ?? rows) - 1)
      move(column: 0, row: 0)
    case "m": setLook(values.map { $0 ?? 0 })
    case "n" where first == 6: positionAnswers.append("\u{1B}[\(row + 1);\(column + 1)R")
    case "t" where first == 22: titles.append(title)
    case "t" where first == 23: title = titles.popLast() ?? title
    // The end of insert mode, which is never set.
    case "l" where first == 4: break
    default: unknown.append("CSI \(text)\(final)")
    }
  }

  private mutating func eraseDisplay(_ part: Int) {
    if part == 0 { erase(row, column..<columns) }
    if part == 1 { erase(row, 0..<column + 1) }
    let rows = [row + 1..<self.rows, 0..<row, 0..<self.rows, 0..<0][min(part, 3)]
    for row in rows { places[row] = blankRow }
  }

  private mutating func setModes(_ text: Substring, _ isOn: Bool) {
    for mode in text.split(separator: ";").compactMap({ Int($0) }) {
      switch mode {
      case 25: isCursorVisible = isOn
      case 1049: setAlternate(isOn)
      case 2026: isUpdating = isOn
      case 12: break
      default:
        if isOn { modes.insert(mode) } else { modes.remove(mode) }
      }
    }
  }

  private mutating func setLook(_ values: [Int]) {
    var rest = values[...]
    while let value = rest.popFirst() {
      switch value {
      case 0: look = Look()
      case 1...9: look.attributes.insert(value)
      case 22: look.attributes.subtract([1, 2])
      case 23...29: look.attributes.remove(value - 20)
      case 30...37, 90...97: look.foreground = String(value)
      case 40...47, 100...107: look.background = String(value)
      case 39: look.foreground = ""
      case 49: look.background = ""
      case 38, 48:
        let kind = rest.first ?? 0
        let parts = [value] + rest.prefix(kind == 2 ? 4 : 2)
        rest = rest.dropFirst(kind == 2 ? 4 : 2)
        let text = parts.map(String.init).joined(separator: ";")
        if value == 38 { look.foreground = text } else { look.background = text }
      default: unknown.append("SGR \(value)")
      }
    }
  }
}
