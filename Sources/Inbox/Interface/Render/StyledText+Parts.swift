import Screen

extension StyledText {
  /// Returns as many of the whole parts of a list as fit: they end before a comma, a semicolon or two spaces.
  func wholeParts(in columns: Int) -> StyledText {
    guard self.columns > columns else { return self }
    let text = Array(plain)
    var (used, end) = (0, 0)
    for (index, character) in text.enumerated() {
      let isGap = character == " " && index + 1 < text.count && text[index + 1] == " "
      if isGap || Self.separators.contains(character), used <= columns { end = used }
      used += SafeText(untrusted: String(character)).columns
    }
    return prefix(columns: end)
  }

  private static let separators: Set<Character> = [",", ";", "，", "；", "、"]
}
