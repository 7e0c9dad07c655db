/// A character set, which is determined by its label as in browsers (WHATWG Encoding).
enum Charset: Equatable {
  case utf8
  case windows1252
  /// A set that libxml2 converts, with its name in libxml2. Text in a multi-byte set can look like UTF-8 by chance.
  case named(String, isMultiByte: Bool)

  /// Creates the set with a label, or returns `nil` if the label is not a name or the set is unsafe.
  init?(label: String) {
    let trimmed = label.lowercased().filter { !" \t\r\n\"'".contains($0) }
    guard !trimmed.isEmpty, trimmed.utf8.count <= 40,
      trimmed.utf8.allSatisfy({ $0 < 0x80 && (Self.isNameByte($0)) })
    else { return nil }
    switch trimmed {
    case "utf-8", "utf8", "unicode-1-1-utf-8", "us-ascii", "ascii", "ansi_x3.4-1968": self = .utf8
    case "iso-8859-1", "iso8859-1", "iso_8859-1", "latin1", "latin-1", "l1", "cp1252", "windows-1252",
      "x-cp1252", "ibm819", "cp819":
      self = .windows1252
    case "iso-8859-9", "iso8859-9", "latin5": self = .named("CP1254", isMultiByte: false)
    case "tis-620", "iso-8859-11": self = .named("CP874", isMultiByte: false)
    case "x-mac-roman": self = .named("MACINTOSH", isMultiByte: false)
    case "gb2312", "gbk", "x-gbk", "gb_2312-80", "chinese", "euc-cn", "gb18030", "cp936":
      self = .named("GB18030", isMultiByte: true)
    case "euc-kr", "ks_c_5601-1987", "ksc5601", "ks_c_5601", "korean", "windows-949", "cp949":
      self = .named("CP949", isMultiByte: true)
    case "shift_jis", "shift-jis", "sjis", "x-sjis", "ms_kanji", "windows-31j", "cp932":
      self = .named("CP932", isMultiByte: true)
    case "big5", "big5-hkscs", "x-x-big5", "cn-big5": self = .named("BIG5-HKSCS", isMultiByte: true)
    case "euc-jp", "x-euc-jp", "iso-2022-jp": self = .named(trimmed.uppercased(), isMultiByte: true)
    case "utf-16", "utf16", "utf-16le", "ucs-2", "iso-10646-ucs-2", "unicode", "csunicode":
      self = .named("UTF-16LE", isMultiByte: true)
    case "utf-16be": self = .named("UTF-16BE", isMultiByte: true)
    case "utf-32", "utf-32le": self = .named("UTF-32LE", isMultiByte: true)
    case "utf-32be", "ucs-4", "iso-10646-ucs-4", "csucs4": self = .named("UTF-32BE", isMultiByte: true)
    // UTF-7 can hide markup from filters, and "HTML" is libxml2's serializer of entities.
    case "utf-7", "html": return nil
    default: self = .named(trimmed, isMultiByte: false)
    }
  }

  /// Whether every character has two or four bytes, so that the text contains no ASCII.
  var isWide: Bool {
    if case .named(let name, _) = self { name.hasPrefix("UTF-16") || name.hasPrefix("UTF-32") } else { false }
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"),
      UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: ":"):
      true
    default: false
    }
  }
}
