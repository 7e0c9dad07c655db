import CXML2

/// Character references as HTML reads them.
enum CharacterReference {
  /// The text of a named reference, without `&` and `;`.
  static func named(_ name: Substring) -> String? {
    if let text = newerNames[String(name)] { return text }
    guard let entity = htmlEntityLookup(String(name)), let scalar = Unicode.Scalar(entity.pointee.value)
    else { return nil }
    return String(scalar)
  }

  static func numeric(_ value: UInt32) -> String {
    corrected(value) ?? Unicode.Scalar(value).map { String($0) } ?? "\u{FFFD}"
  }

  /// What a number means where it does not mean itself; nil where it does. Controls, which libxml2
  /// drops, are shown as Screen shows them.
  static func corrected(_ value: UInt32) -> String? {
    switch value {
    case 0x80...0x9F:
      let scalar = windows1252[Int(value - 0x80)]
      return scalar == 0 ? "\u{FFFD}" : Unicode.Scalar(scalar).map { String($0) }
    case 0...8, 0xB, 0xE...0x1F, 0x7F, 0xD800...0xDFFF, 0xFDD0...0xFDEF, 0x110000...: return "\u{FFFD}"
    default: return value & 0xFFFE == 0xFFFE ? "\u{FFFD}" : nil
    }
  }

  private static let windows1252: [UInt32] = [
    0x20AC, 0, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0,
    0x017D, 0,
    0, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0,
    0x017E, 0x0178,
  ]

  /// The names of Latin-1, which HTML reads without a semicolon too.
  static let oldNames: [String: UInt32] = {
    var names: [String: UInt32] = [:]
    for value in [34, 38, 60, 62] + Array(160...255) as [UInt32] {
      if let entity = htmlEntityValueLookup(value), let name = entity.pointee.name {
        names[String(cString: name)] = value
      }
    }
    return names
  }()

  /// The names that people use and libxml2's table of HTML 4 lacks or reads otherwise.
  static let newerNames: [String: String] = [
    "AMP": "&", "LT": "<", "GT": ">", "QUOT": "\"", "lang": "⟨", "rang": "⟩", "COPY": "©", "REG": "®",
    "TRADE": "™",
    "Tab": " ", "NewLine": " ", "excl": "!", "num": "#", "dollar": "$", "percnt": "%", "lpar": "(",
    "rpar": ")", "ast": "*",
    "midast": "*", "plus": "+", "comma": ",", "period": ".", "sol": "/", "colon": ":", "semi": ";",
    "equals": "=",
    "quest": "?", "commat": "@", "lsqb": "[", "lbrack": "[", "bsol": "\\", "rsqb": "]", "rbrack": "]",
    "Hat": "^",
    "lowbar": "_", "UnderBar": "_", "grave": "`", "lcub": "{", "lbrace": "{", "verbar": "|", "vert": "|",
    "rcub": "}",
    "rbrace": "}", "hyphen": "‐", "dash": "‐", "horbar": "―", "check": "✓", "checkmark": "✓", "cross": "✗",
    "star": "☆",
    "starf": "★", "bigstar": "★", "phone": "☎", "female": "♀", "male": "♂", "half": "½", "frac13": "⅓",
    "frac23": "⅔",
    "frac15": "⅕", "frac18": "⅛", "frac38": "⅜", "frac58": "⅝", "frac78": "⅞", "numsp": "\u{2007}",
    "puncsp": "\u{2008}",
    "hairsp": "\u{200A}", "NoBreak": "", "ZeroWidthSpace": "", "ic": "", "lsquor": "‚", "ldquor": "„",
    "rsquor": "’",
    "rdquor": "”", "mldr": "…", "nldr": "‥", "bullet": "•", "caret": "⁁", "checkmarks": "✓", "squ": "□",
    "square": "□",
    "squf": "▪", "blacksquare": "▪", "utri": "▵", "dtri": "▿", "rtri": "▹", "ltri": "◃", "cir": "○",
    "sung": "♪",
    "flat": "♭", "natural": "♮", "sharp": "♯", "copysr": "℗", "numero": "№", "boxh": "─", "boxv": "│",
    "larrhk": "↩",
    "rarrhk": "↪", "rightarrow": "→", "leftarrow": "←", "uparrow": "↑", "downarrow": "↓", "Rightarrow": "⇒",
    "approx": "≈", "leq": "≤", "geq": "≥", "pm": "±", "div": "÷", "inodot": "ı", "scaron": "š", "Scaron": "Š",
    "ccaron": "č", "Ccaron": "Č", "rcaron": "ř", "Rcaron": "Ř", "ecaron": "ě", "Ecaron": "Ě", "zcaron": "ž",
    "Zcaron": "Ž",
    "lstrok": "ł", "Lstrok": "Ł", "aogon": "ą", "Aogon": "Ą", "eogon": "ę", "Eogon": "Ę", "sacute": "ś",
    "Sacute": "Ś",
    "cacute": "ć", "Cacute": "Ć", "nacute": "ń", "Nacute": "Ń", "zacute": "ź", "Zacute": "Ź", "zdot": "ż",
    "Zdot": "Ż",
    "abreve": "ă", "Abreve": "Ă", "gbreve": "ğ", "Gbreve": "Ğ", "scedil": "ş", "Scedil": "Ş", "Idot": "İ",
    "imath": "ı",
    "amacr": "ā", "Amacr": "Ā", "emacr": "ē", "Emacr": "Ē", "imacr": "ī", "Imacr": "Ī", "omacr": "ō",
    "Omacr": "Ō",
    "umacr": "ū", "Umacr": "Ū", "odblac": "ő", "Odblac": "Ő", "udblac": "ű", "Udblac": "Ű", "uring": "ů",
    "Uring": "Ů",
  ]
}
