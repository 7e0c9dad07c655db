import Foundation

/// Text as it is compared: in one form of characters, with plain quotes, dashes and spaces (Unicode Annex 15, form C).
///
/// Publishers change typography without changing the message. Ids are made of such text, so the form is frozen.
package enum ComparedText {
  /// Returns the text in the form in which it is compared, or `nil` if only white space is in it.
  package static func text(_ text: String) -> String? {
    var result = String.UnicodeScalarView()
    var isAfterBlank = false
    for scalar in text.precomposedStringWithCanonicalMapping.unicodeScalars {
      let scalar = plain(scalar)
      if scalar.properties.isWhitespace || (0x1C...0x1F).contains(scalar.value) {
        isAfterBlank = !result.isEmpty
        continue
      }
      if isAfterBlank { result.append(" ") }
      isAfterBlank = false
      result.append(scalar)
    }
    return result.isEmpty ? nil : String(result)
  }

  private static func plain(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    switch scalar.value {
    case 0x201C, 0x201D, 0x201E: "\""
    case 0x2018, 0x2019: "'"
    case 0x2013, 0x2014: "-"
    case _: scalar
    }
  }
}
