import CWidth
import Foundation

/// The number of columns that a code point occupies on the terminal, from libc's `wcwidth` in a UTF-8 locale. ncursesw
/// uses the same function, so both always agree. The process's own locale, which tests and `LC_ALL=C` do not set to
/// UTF-8, does not matter.
enum ColumnWidth {
  /// Returns 0 (joins the cell before it), 1 or 2, or `nil` if libc cannot print the code point.
  static func of(_ scalar: Unicode.Scalar) -> Int? {
    switch scalar.value {
    case 0x20...0x7E, 0xA0...0xAC, 0xAE...0x2FF: return 1
    case 0x3041...0x3096, 0x30A1...0x30FA, 0x4E00...0x9FFF, 0xAC00...0xD7A3: return 2
    default: return libc(scalar)
    }
  }

  /// Returns the result of `wcwidth` for any code point; `of` calls it only for less common ones. Returns
  /// `nil` if libc cannot print the code point.
  static func libc(_ scalar: Unicode.Scalar) -> Int? {
    guard let locale else { return scalar.value < 0x20 ? nil : 1 }
    let own = uselocale(locale)
    let columns = cw_columns(wchar_t(scalar.value))
    uselocale(own)
    return columns < 0 ? nil : Int(columns)
  }

  // The locale is created once and never changed or freed, so that any thread may read it.
  private nonisolated(unsafe) static let locale: locale_t? = {
    for name in ["C.UTF-8", "C.utf8", "en_US.UTF-8", "UTF-8", ""] {
      if let locale = newlocale(LC_CTYPE_MASK, name, nil) { return locale }
    }
    return nil
  }()
}
