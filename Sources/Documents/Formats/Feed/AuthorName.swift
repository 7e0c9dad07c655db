import Basics

/// Reads names of authors as feeds write them.
enum AuthorName {
  /// Returns the names in their order, without duplicates, as one string, or `nil` if there are none.
  static func list(_ names: [FeedText]) -> FeedText? {
    guard names.count > 1, let first = names.first else { return names.first }
    var seen: Set<String> = []
    return names.filter { seen.insert(withoutTags($0)).inserted }.dropFirst().reduce(first) {
      joined($0, ", ", $1)
    }
  }

  /// Returns the form of a name for comparisons, without tags: the same name may be written with and without markup.
  private static func withoutTags(_ name: FeedText) -> String {
    guard name.kind == .html else { return name.raw }
    var isInTag = false
    let text = name.raw.unicodeScalars.filter { scalar in
      if scalar == "<" { isInTag = true }
      defer { if scalar == ">" { isInTag = false } }
      return !isInTag
    }
    return collapsed(String(String.UnicodeScalarView(text)))
  }

  /// Returns "Name (address)", or only one of them if the other is missing. An address that receives no mail, for
  /// example `noreply@`, is left out.
  static func joined(name: FeedText?, email: String?) -> FeedText? {
    let name = name.flatMap(named)
    let email = email.flatMap { $0.isEmpty || isRobot($0) ? nil : $0 }
    switch (name, email) {
    case (let name?, let email?):
      return name.raw == email ? name : joined(name, " ", FeedText(.text, "(\(email))"))
    case (let name?, nil): return name
    case (nil, let email): return email.map { FeedText(.text, $0) }
    }
  }

  /// Returns the author of an RSS element, which may have the form "address (Name)" or "Name <address>".
  static func fromRSS(_ text: FeedText?) -> FeedText? {
    guard let name = text.flatMap(named), name.kind == .text, name.raw.contains("@") else {
      return text.flatMap(named)
    }
    let text = name.raw
    if text.hasSuffix(")"), let open = text.firstIndex(of: "(") {
      return parted(String(text[text.index(after: open)...].dropLast()), String(text[..<open]), whole: name)
    }
    if text.hasSuffix(">"), let open = text.firstIndex(of: "<") {
      return parted(String(text[..<open]), String(text[text.index(after: open)...].dropLast()), whole: name)
    }
    return name
  }

  /// Returns a name on one line, or `nil` if the text is only punctuation or the URL of a page.
  static func named(_ text: FeedText) -> FeedText? {
    var name = text
    name.raw = collapsed(text.raw)
    let isSaid = name.raw.contains {
      $0.isLetter || $0.isNumber || !$0.isASCII && !$0.isPunctuation && !$0.isWhitespace
    }
    return isSaid && !LinkReference.isWebAddress(name.raw) ? name : nil
  }

  /// Joins two strings with `between`; the result is HTML if one of them is.
  private static func joined(_ first: FeedText, _ between: String, _ second: FeedText) -> FeedText {
    if first.kind == .text, second.kind == .text {
      return FeedText(.text, first.raw + between + second.raw)
    }
    func markup(_ text: FeedText) -> String { text.kind == .html ? text.raw : text.raw.markupEscaped }
    return FeedText(.html, markup(first) + between + markup(second))
  }

  /// Trims white space, replaces each run of it by one space, and cuts the name to its limit.
  static func collapsed(_ text: String) -> String {
    let text = text.cut(toBytes: Limits.nameBytes)
    var wasSpace = true
    for byte in text.utf8 {
      // Characters outside ASCII may also be white space.
      if byte >= 0x80 || byte < 0x20 || byte == 0x20 && wasSpace { return collapsedSlowly(text) }
      wasSpace = byte == 0x20
    }
    return wasSpace ? collapsedSlowly(text) : text
  }

  /// Replaces each run of white space by one space; see `collapsed`.
  private static func collapsedSlowly(_ text: String) -> String {
    text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  /// Joins a name and a mail address, which may be swapped. Returns `whole` if neither of them is a mail
  /// address.
  private static func parted(_ name: String, _ email: String, whole: FeedText) -> FeedText? {
    let (name, email) = (collapsed(name), collapsed(email))
    // This is "Name (address)", the form that `joined` returns.
    if name.contains("@"), !email.contains("@") { return joined(name: FeedText(.text, email), email: name) }
    return email.contains("@") && !email.contains(" ")
      ? joined(name: FeedText(.text, name), email: email) : whole
  }

  /// Whether an address is one that receives no mail.
  private static func isRobot(_ email: String) -> Bool {
    let email = email.lowercased()
    return email.hasPrefix("noreply@") || email.hasPrefix("no-reply@")
  }
}
