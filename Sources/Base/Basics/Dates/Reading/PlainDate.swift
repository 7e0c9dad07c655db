/// Text in which ASCII replaces the digits, spaces, dashes and colons of other scripts.
struct PlainDate {
  private(set) var text: String
  /// Whether the text had digits of other scripts, apart from the full-width forms of ASCII.
  private var hasForeignDigits = false

  /// Returns `nil` if the text has only ASCII and needs no replacement.
  init?(_ text: String) {
    guard text.utf8.contains(where: { $0 >= 0x80 }) else { return nil }
    var scalars = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if scalar.isASCII {
        scalars.append(scalar)
      } else if let digit = scalar.properties.numericType == .decimal ? scalar.properties.numericValue : nil {
        scalars.append(Unicode.Scalar(UInt8(0x30 + Int(digit))))
        if !(0xFF10...0xFF19).contains(scalar.value) { hasForeignDigits = true }
      } else if let plain = Self.plain(scalar) {
        scalars.append(contentsOf: plain.unicodeScalars)
      }
    }
    self.text = String(scalars)
  }

  /// Returns the replacement of a character, or `nil` to leave it out.
  private static func plain(_ scalar: Unicode.Scalar) -> String? {
    switch scalar.value {
    case 0x2010...0x2015, 0x2212: return "-"
    // The full-width forms of ASCII.
    case 0xFF01...0xFF5E: return String(UnicodeScalar(UInt8(scalar.value - 0xFEE0)))
    default: break
    }
    switch scalar.properties.generalCategory {
    // A mark for the writing direction, or one without width.
    case .format: return nil
    case .spaceSeparator, .lineSeparator, .paragraphSeparator: return " "
    case _: return String(scalar)
    }
  }

  /// Whether the year is one of the Gregorian calendar. Dates with other digits often use another calendar: Iran's 1405
  /// and Thailand's 2569 are 2026.
  func allows(year: Int) -> Bool { !hasForeignDigits || (1900...2199).contains(year) }
}
