import Formats
import Screen

/// The numbers of a list's items (HTML, "The ol element").
struct ListNumbering {
  private enum Style {
    case decimal, lowerLetters, upperLetters, lowerRoman, upperRoman
  }

  private var style = Style.decimal
  private var start: Int?
  private var isReversed = false

  init() {}

  init(_ attributes: HTMLAttributes) {
    start = attributes["start"].flatMap(ListNumbering.number)
    isReversed = attributes["reversed"] != nil
    switch attributes["type"] {
    case "a": style = .lowerLetters
    case "A": style = .upperLetters
    case "i": style = .lowerRoman
    case "I": style = .upperRoman
    default: if let css = attributes["style"] { readStyle(css.lowercased().filter { $0 != " " }) }
    }
  }

  /// Reads `list-style` from CSS without spaces.
  private mutating func readStyle(_ css: String) {
    guard css.contains("list-style") else { return }
    let names: [(String, Style)] = [
      ("lower-alpha", .lowerLetters), ("lower-latin", .lowerLetters), ("upper-alpha", .upperLetters),
      ("upper-latin", .upperLetters), ("lower-roman", .lowerRoman), ("upper-roman", .upperRoman),
    ]
    style = names.first { css.contains($0.0) }?.1 ?? style
  }

  /// Parses a number from an attribute, limited to the nine digits of Markdown.
  static func number(_ text: String) -> Int? {
    Int(text.filter { !$0.isWhitespace }).map { min(max($0, -999), 999_999_999) }
  }

  /// Returns the label of each item.
  ///
  /// - Parameter values: the `value` of each item, or `nil` if it has none.
  func labels(_ values: [Int?]) -> [SafeText] {
    var next = start ?? (isReversed ? values.count : 1)
    return values.map { value in
      let number = value ?? next
      next = isReversed ? number - 1 : number + 1
      return "\(untrusted: text(number))."
    }
  }

  /// Returns a number in the list's style. Numbers outside the style's range are decimal (CSS Counter Styles,
  /// `fallback`).
  private func text(_ number: Int) -> String {
    switch style {
    case .decimal: String(number)
    case .lowerLetters: ListNumbering.letters(number) ?? String(number)
    case .upperLetters: ListNumbering.letters(number)?.uppercased() ?? String(number)
    case .lowerRoman: ListNumbering.roman(number) ?? String(number)
    case .upperRoman: ListNumbering.roman(number)?.uppercased() ?? String(number)
    }
  }

  /// Returns a number as letters: a to z, then aa.
  private static func letters(_ number: Int) -> String? {
    guard number > 0 else { return nil }
    var rest = number
    var letters: [UInt8] = []
    while rest > 0 {
      rest -= 1
      letters.append(UInt8(ascii: "a") + UInt8(rest % 26))
      rest /= 26
    }
    return String(decoding: letters.reversed(), as: UTF8.self)
  }

  /// Returns a number in lowercase Roman numerals, or `nil` if it is not between 1 and 3999.
  private static func roman(_ number: Int) -> String? {
    guard (1...3999).contains(number) else { return nil }
    let signs = [
      (1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl"),
      (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"),
    ]
    var rest = number
    var text = ""
    for (value, sign) in signs {
      while rest >= value {
        text += sign
        rest -= value
      }
    }
    return text
  }
}
