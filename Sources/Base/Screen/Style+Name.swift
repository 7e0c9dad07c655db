import Basics

/// Reads colours and styles from their names in the settings.
extension Color {
  /// Reads `red`, `bright-red`, `default`, `0` to `255` and `#rrggbb`, ignoring case, or returns `nil` for other
  /// strings.
  package init?(parsing name: some StringProtocol) {
    let name = name.lowercased()
    if name == "default" {
      self = .terminal
    } else if let index = Color.names.firstIndex(of: name) {
      self = .ansi(UInt8(index))
    } else if name.hasPrefix("#") {
      let digits = name.dropFirst()
      guard digits.utf8.count == 6, digits.allSatisfy(\.isHexDigit), let value = UInt32(digits, radix: 16)
      else { return nil }
      self = .rgb(UInt8(value >> 16), UInt8(value >> 8 & 0xFF), UInt8(value & 0xFF))
    } else if let index = UInt8(name), String(index) == name {
      self = .indexed(index)
    } else {
      return nil
    }
  }

  /// The terminal's own 16 colours, in their order.
  package static let names: [String] = {
    let plain = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"]
    return plain + plain.map { "bright-" + $0 }
  }()
}

extension Style.Attributes {
  package static let named: [(name: String, attribute: Style.Attributes)] = [
    ("bold", .bold), ("dim", .dim), ("italic", .italic), ("underline", .underline), ("reverse", .reverse),
  ]
}

extension Style {
  /// Reads colours and attributes separated by spaces: `cyan underline`, `#ffffff on 24 bold`, `default`. The colour
  /// after `on` is the background. Returns `nil` for other strings.
  package init?(parsing text: String) {
    var style = Style()
    var hasForeground = false
    var words = text.split(onBytes: " ")[...]
    guard !words.isEmpty else { return nil }
    while let word = words.popFirst() {
      if let named = Attributes.named.first(where: { $0.name == word.lowercased() }) {
        style.attributes.insert(named.attribute)
      } else if word.lowercased() == "on" {
        guard style.background == .terminal, let next = words.popFirst(), let color = Color(parsing: next)
        else { return nil }
        style.background = color
      } else {
        guard !hasForeground, let color = Color(parsing: word) else { return nil }
        style.foreground = color
        hasForeground = true
      }
    }
    self = style
  }
}
