import Basics
import Foundation
import Screen

/// Converts text with SGR sequences (ECMA-48 section 8.3.117) to styled lines. Other escape sequences are dropped.
enum SGRReader {
  static func lines(_ bytes: Data) -> [StyledText] {
    var lines: [StyledText] = []
    var runs: [StyledText.Run] = []
    var style = Style.plain
    var text = ""
    func flush() {
      if !text.isEmpty { runs.append(StyledText.Run(text: SafeText(untrusted: text), style: style)) }
      text = ""
    }
    var scalars = String(decoding: bytes, as: UTF8.self).unicodeScalars.makeIterator()
    while let scalar = scalars.next() {
      switch scalar {
      case "\u{1B}":
        flush()
        guard scalars.next() == "[" else { continue }
        var parameters = ""
        while let next = scalars.next() {
          if ("\u{40}"..."\u{7E}").contains(next) {
            if next == "m" { apply(parameters, to: &style) }
            break
          }
          parameters.unicodeScalars.append(next)
        }
      case "\n":
        flush()
        lines.append(StyledText(runs: runs))
        runs = []
      case _: text.unicodeScalars.append(scalar)
      }
    }
    flush()
    if !runs.isEmpty { lines.append(StyledText(runs: runs)) }
    return lines
  }

  private static func apply(_ parameters: String, to style: inout Style) {
    var codes = parameters.split(onBytes: ";", omittingEmptySubsequences: false).map { Int($0) ?? 0 }[...]
    if codes.isEmpty { codes = [0] }
    while let code = codes.popFirst() {
      switch code {
      case 0: style = .plain
      case 1: style.attributes.insert(.bold)
      case 7: style.attributes.insert(.reverse)
      case 22: style.attributes.remove(.bold)
      case 27: style.attributes.remove(.reverse)
      case 30...37: style.foreground = .ansi(UInt8(code - 30))
      case 90...97: style.foreground = .ansi(UInt8(code - 82))
      case 40...47: style.background = .ansi(UInt8(code - 40))
      case 100...107: style.background = .ansi(UInt8(code - 92))
      case 39: style.foreground = .terminal
      case 49: style.background = .terminal
      case 38: if let color = color(&codes) { style.foreground = color }
      case 48: if let color = color(&codes) { style.background = color }
      case _: break
      }
    }
  }

  private static func color(_ codes: inout ArraySlice<Int>) -> Color? {
    func byte() -> UInt8? { codes.popFirst().flatMap { UInt8(exactly: $0) } }
    switch codes.popFirst() {
    case 5: return byte().map { .indexed($0) }
    case 2:
      guard let red = byte(), let green = byte(), let blue = byte() else { return nil }
      return .rgb(red, green, blue)
    case _: return nil
    }
  }
}
