extension NotificationMarkup {
  /// The elements of the specification, and others that daemons support.
  private static let elements: Set<String> = ["a", "b", "br", "i", "img", "span", "u"]
  /// The number of scalars of the longest entity.
  private static let longestEntity = 10

  /// Returns the text of a notification's body as a daemon shows it. Angle brackets and ampersands that are not markup
  /// stay, since not every program escapes its text.
  ///
  /// - Returns: the text, and the first web address that it links to.
  package static func text(of body: String) -> (text: String, link: String?) {
    var text = String.UnicodeScalarView()
    var link: String?
    let scalars = Array(body.unicodeScalars)
    var place = 0
    while place < scalars.count {
      if scalars[place] == "<", let tag = tag(scalars[place...]) {
        if tag.name == "br" { text.append("\n") }
        if tag.name == "img", let words = attribute("alt", in: tag.attributes) {
          text.append(contentsOf: words.unicodeScalars)
        }
        if link == nil, tag.name == "a" { link = attribute("href", in: tag.attributes).flatMap(webAddress) }
        place += tag.length
      } else if scalars[place] == "&", let (scalar, length) = entity(scalars[place...]) {
        text.append(scalar)
        place += length
      } else {
        text.append(scalars[place])
        place += 1
      }
    }
    return (String(text), link)
  }

  private static func webAddress(_ text: String) -> String? {
    ["http://", "https://"].contains { text.lowercased().hasPrefix($0) } ? text : nil
  }

  /// Returns the tag of a known element at the beginning, or `nil` if there is none.
  private static func tag(
    _ scalars: ArraySlice<Unicode.Scalar>
  ) -> (name: String, attributes: ArraySlice<Unicode.Scalar>, length: Int)? {
    var rest = scalars.dropFirst()
    if rest.first == "/" { rest = rest.dropFirst() }
    let letters = rest.prefix { $0.isASCII && $0.properties.isAlphabetic }.prefix(5)
    let name = String(String.UnicodeScalarView(letters)).lowercased()
    rest = rest.dropFirst(letters.count)
    guard elements.contains(name), let next = rest.first, next == ">" || next == "/" || next == " " else {
      return nil
    }
    // A tag does not contain another tag, so each character is examined only twice.
    guard let end = rest.firstIndex(where: { $0 == ">" || $0 == "<" }), scalars[end] == ">" else {
      return nil
    }
    return (name, rest[..<end], end + 1 - scalars.startIndex)
  }

  /// Returns the value of an attribute, with its entities resolved.
  private static func attribute(_ name: String, in attributes: ArraySlice<Unicode.Scalar>) -> String? {
    let text = String(String.UnicodeScalarView(attributes))
    guard let start = text.firstRange(of: " " + name + "=")?.upperBound, start < text.endIndex,
      case let quote = text[start], quote == "\"" || quote == "'"
    else { return nil }
    let value = text[text.index(after: start)...]
    guard let end = value.firstIndex(of: quote) else { return nil }
    return Self.text(of: String(value[..<end])).text
  }

  /// Returns the XML entity at the beginning, or `nil` if there is none.
  private static func entity(_ scalars: ArraySlice<Unicode.Scalar>) -> (Unicode.Scalar, length: Int)? {
    guard let end = scalars.prefix(longestEntity).firstIndex(of: ";") else { return nil }
    let name = String(String.UnicodeScalarView(scalars[scalars.startIndex + 1..<end]))
    let length = end + 1 - scalars.startIndex
    switch name {
    case "amp": return ("&", length)
    case "lt": return ("<", length)
    case "gt": return (">", length)
    case "quot": return ("\"", length)
    case "apos": return ("'", length)
    case _: break
    }
    guard name.hasPrefix("#") else { return nil }
    let digits = name.dropFirst()
    let number =
      digits.lowercased().hasPrefix("x") ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
    return number.flatMap(Unicode.Scalar.init).map { ($0, length) }
  }
}
