import Limits

/// Names of authors as feeds write them.
enum AuthorName {
  /// "Name (address)"; the address of a program, such as `noreply`, is left out.
  static func joined(name: String?, email: String?) -> String? {
    let name = name.flatMap { $0.isEmpty ? nil : $0 }
    let email = email.flatMap { $0.isEmpty || isRobot($0) ? nil : $0 }
    switch (name, email) {
    case (let name?, let email?): return name == email ? name : "\(name) (\(email))"
    case (let name?, nil): return name
    case (nil, let email): return email
    }
  }

  /// RSS writes "address (Name)", or "Name <address>".
  static func fromRSS(_ text: String) -> String? {
    let text = collapsed(text)
    guard text.contains("@") else { return text.isEmpty ? nil : text }
    if text.hasSuffix(")"), let open = text.firstIndex(of: "(") {
      return parted(String(text[text.index(after: open)...].dropLast()), String(text[..<open]), whole: text)
    }
    if text.hasSuffix(">"), let open = text.firstIndex(of: "<") {
      return parted(String(text[..<open]), String(text[text.index(after: open)...].dropLast()), whole: text)
    }
    return text
  }

  /// Trims white space, replaces each run of it by one space, and cuts the name to its limit.
  static func collapsed(_ text: String) -> String {
    let text = text.cut(toBytes: Limits.nameBytes)
    var wasSpace = true
    for byte in text.utf8 {
      // Characters outside ASCII may be white space too.
      if byte >= 0x80 || byte < 0x20 || byte == 0x20 && wasSpace { return collapsedSlowly(text) }
      wasSpace = byte == 0x20
    }
    return wasSpace ? collapsedSlowly(text) : text
  }

  private static func collapsedSlowly(_ text: String) -> String {
    text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  private static func parted(_ name: String, _ email: String, whole: String) -> String? {
    let (name, email) = (collapsed(name), collapsed(email))
    // "Name (address)", the form that `joined` returns.
    if name.contains("@"), !email.contains("@") { return joined(name: email, email: name) }
    return email.contains("@") && !email.contains(" ") ? joined(name: name, email: email) : whole
  }

  private static func isRobot(_ email: String) -> Bool {
    let email = email.lowercased()
    return email.hasPrefix("noreply@") || email.hasPrefix("no-reply@")
  }
}
