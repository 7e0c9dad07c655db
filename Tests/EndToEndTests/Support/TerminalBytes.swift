import Foundation

/// Checks the bytes for a terminal: plain characters, and the sequences of ncurses and of the inbox's start and
/// end. Everything else is reported.
struct TerminalBytes {
  let columns: Int
  let rows: Int

  /// The sequences of ncurses for xterm's terminfo entry, and our own modes (mouse, focus, paste, frames) and titles.
  private static let modes: Set<String> = [
    "1", "7", "12", "25", "12;25", "1000", "1004", "1006", "1049", "2004", "2026",
  ]
  private static let looks: Set<Int> = {
    let attributes: [Int] = [0, 1, 2, 3, 4, 7, 22, 23, 24, 27, 38, 39, 48, 49]
    return Set(attributes).union(30...37).union(40...47).union(90...97).union(100...107)
  }()

  func problems(_ bytes: [UInt8]) -> [String] {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      return ["not UTF-8: \(String(decoding: bytes, as: UTF8.self).debugDescription.suffix(200))"]
    }
    var problems: [String] = []
    var scalars = Array(text.unicodeScalars)[...]
    while let scalar = scalars.popFirst() {
      switch scalar {
      case "\u{1B}": if let problem = sequence(&scalars) { problems.append(problem) }
      case "\r", "\n", "\u{8}": break
      case _: if PlainText.isHarmful(scalar) { problems.append("U+\(String(scalar.value, radix: 16))") }
      }
    }
    return problems
  }

  private func sequence(_ rest: inout ArraySlice<Unicode.Scalar>) -> String? {
    switch rest.popFirst() {
    case "[":
      var parameters = ""
      while let next = rest.popFirst() {
        if (0x40...0x7E).contains(next.value) {
          return isExpected(parameters, next) ? nil : "CSI \(parameters)\(next)"
        }
        guard (0x20...0x3F).contains(next.value) else { return "CSI \(parameters) cut by U+\(next.value)" }
        parameters.unicodeScalars.append(next)
      }
      return "CSI cut by the end"
    case "]":
      var command = ""
      while let next = rest.popFirst() {
        // The title, and the question for the background.
        if next == "\u{7}" {
          return command.hasPrefix("2;") || command == "11;?" ? nil : "OSC \(command)"
        }
        if PlainText.isHarmful(next) { return "OSC \(command) with U+\(String(next.value, radix: 16))" }
        command.unicodeScalars.append(next)
      }
      return "OSC cut by the end"
    case "(": return rest.popFirst() == "B" ? nil : "ESC ( and no B"
    case "=", ">", "M", "7", "8": return nil
    case let other: return "ESC \(other.map { String($0) } ?? "at the end")"
    }
  }

  private func isExpected(_ parameters: String, _ final: Unicode.Scalar) -> Bool {
    let numbers = parameters.split(separator: ";", omittingEmptySubsequences: false).map { Int($0) ?? -1 }
    let isOne = parameters.isEmpty || (numbers.count == 1 && numbers[0] >= 0)
    switch final {
    case "H":
      return parameters.isEmpty || (numbers.count == 2 && 1...rows ~= numbers[0] && 1...columns ~= numbers[1])
    case "d": return isOne && numbers[0] <= rows
    case "G": return isOne && numbers[0] <= columns
    case "A", "B", "C", "D", "X", "P", "@", "L", "M", "S", "T", "b", "Z":
      return isOne && numbers[0] <= max(columns, rows)
    case "J": return parameters.isEmpty || parameters == "2"
    case "K": return parameters.isEmpty || parameters == "1"
    case "r":
      return parameters.isEmpty || (numbers.count == 2 && 1...rows ~= numbers[0] && 1...rows ~= numbers[1])
    case "m": return parameters.isEmpty || areLooks(numbers)
    case "l", "h":
      if parameters == "4" { return final == "l" }
      return parameters.first == "?" && Self.modes.contains(String(parameters.dropFirst()))
    case "t": return ["22;0;0", "23;0;0", "22;0", "23;0"].contains(parameters)
    case _: return false
    }
  }

  private func areLooks(_ numbers: [Int]) -> Bool {
    var rest = numbers[...]
    while let number = rest.popFirst() {
      guard Self.looks.contains(number) else { return false }
      if number == 38 || number == 48 {
        guard rest.popFirst() == 5, let index = rest.popFirst(), 0...255 ~= index else { return false }
      }
    }
    return true
  }
}

/// Characters that are allowed in a line of text.
enum PlainText {
  static func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F...0x9F, 0x61C, 0x200B, 0x200D...0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF,
      0xFFF9...0xFFFB,
      0xFDD0...0xFDEF, 0xE0000...0xE0FFF:
      true
    case let value: value & 0xFFFE == 0xFFFE
    }
  }

  /// Lines of output: only characters and line ends, and no character with too many marks.
  static func problems(_ bytes: [UInt8]) -> [String] {
    guard let text = String(validating: bytes, as: UTF8.self) else { return ["not UTF-8"] }
    var problems: [String] = []
    var marks = 0
    for scalar in text.unicodeScalars where scalar != "\n" {
      if isHarmful(scalar) { problems.append("U+\(String(scalar.value, radix: 16))") }
      switch scalar.properties.generalCategory {
      case .nonspacingMark, .enclosingMark: marks += 1
      case _: marks = 0
      }
      if marks == 5 { problems.append("more than four marks") }
    }
    return problems
  }
}
