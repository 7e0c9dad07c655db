import Screen

// Handles superscripts, subscripts and ruby text.
extension HTMLBuilder {
  /// Changes the text that begins at a position to a superscript, a subscript, or ruby text in parentheses.
  func change(since place: InlineBuilder.Place, _ role: HTMLRole) {
    inline.change(since: place) { spans in
      switch role {
      case .raised: RaisedText.shifted(spans, by: RaisedText.superscripts, sign: "^")
      case .lowered: RaisedText.shifted(spans, by: RaisedText.subscripts, sign: "_")
      default: RaisedText.bracketed(spans, "(", ")")
      }
    }
  }
}

/// Writes superscripts and subscripts in Unicode (Superscripts and Subscripts, Spacing Modifier Letters, Phonetic
/// Extensions), or with the symbols that users type for them.
enum RaisedText {
  /// The maximum number of characters: longer text is hard to read in small letters.
  private static let longest = 24

  /// Returns text with the raised or lowered form of each character.
  ///
  /// - Parameter sign: the symbol that is written before the unchanged text if a character has no raised or
  ///   lowered form.
  static func shifted(
    _ spans: [Span], by table: [Unicode.Scalar: Unicode.Scalar], sign: SafeText
  ) -> [Span] {
    let words = words(spans)
    guard let first = words.first, let last = words.last,
      words.allSatisfy({ !spans[$0].emphasis.contains(.image) })
    else { return spans }
    var result = spans
    var count = 0
    for index in words {
      var text = ""
      for scalar in spans[index].text.text.unicodeScalars {
        count += 1
        guard count <= longest, let other = table[scalar] else {
          let isBracketed =
            spans[first].text.text.utf8.first.map { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "(") }
            ?? false
            && spans[last].text.text.utf8.last.map { $0 == UInt8(ascii: "]") || $0 == UInt8(ascii: ")") }
              ?? false
          return isBracketed ? bracketed(spans, sign, "") : bracketed(spans, sign + "(", ")")
        }
        text.unicodeScalars.append(other)
      }
      result[index].text = SafeText(untrusted: text)
    }
    return result
  }

  /// Returns text with `open` inserted before it and `close` after it. The inserted symbols are not part of any link.
  static func bracketed(_ spans: [Span], _ open: SafeText, _ close: SafeText) -> [Span] {
    let words = words(spans)
    guard let first = words.first, let last = words.last, !words.allSatisfy({ spans[$0].isBlank }) else {
      return spans
    }
    var result = spans
    if !close.isEmpty {
      result.insert(Span(close, spans[last].emphasis, colors: spans[last].colors), at: last + 1)
    }
    result.insert(Span(open, spans[first].emphasis, colors: spans[first].colors), at: first)
    return result
  }

  /// Returns the indices of the spans that are not numbers of links.
  private static func words(_ spans: [Span]) -> [Int] {
    spans.indices.filter { !spans[$0].emphasis.contains(.linkNumber) }
  }

  /// The raised forms of characters.
  static let superscripts = table(
    "0123456789+-−=()abcdefghijklmnoprstuvwxyzABDEGHIJKLMNOPRTUVWαβγδεθιφχ",
    "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻᴬᴮᴰᴱᴳᴴᴵᴶᴷᴸᴹᴺᴼᴾᴿᵀᵁⱽᵂᵅᵝᵞᵟᵋᶿᶥᵠᵡ")

  /// The lowered forms of characters.
  static let subscripts = table(
    "0123456789+-−=()aehijklmnoprstuvxβγρφχ", "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓᵦᵧᵨᵩᵪ")

  /// Creates a table of characters and their raised or lowered forms. Characters that are already small, and symbols of
  /// footnotes, map to themselves.
  private static func table(_ from: String, _ to: String) -> [Unicode.Scalar: Unicode.Scalar] {
    var table = Dictionary(uniqueKeysWithValues: zip(from.unicodeScalars, to.unicodeScalars))
    for scalar in " \u{A0}*†‡§¶°′″ªº™®©℠".unicodeScalars { table[scalar] = scalar }
    return table
  }
}
