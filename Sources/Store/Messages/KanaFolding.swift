/// Normalises kana for comparison, so that all spellings are equal. Half-width kana become full-width
/// (`UnicodeData.txt`, the compatibility decompositions), and a voiced kana becomes its base character and
/// the sound mark.
enum KanaFolding {
  /// Whether a character is the sound mark of the one before it, of which it is a part.
  static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x3099, 0x309A, 0xFF9E, 0xFF9F: true
    default: false
    }
  }

  /// Returns the characters that a kana is replaced by, or `nil` if it is unchanged.
  static func folded(_ scalar: Unicode.Scalar) -> [Unicode.Scalar]? {
    switch scalar.value {
    case 0xFF66...0xFF9F: return [halfWidth[Int(scalar.value - 0xFF66)]]
    case 0x3040...0x30FF: return voiced[scalar]
    default: return nil
    }
  }

  private static let halfWidth = Array(
    ("ヲァィゥェォャュョッーアイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワン" + "\u{3099}\u{309A}").unicodeScalars)

  private static let voiced: [Unicode.Scalar: [Unicode.Scalar]] = {
    var voiced: [Unicode.Scalar: [Unicode.Scalar]] = [:]
    for (bases, letters, mark) in pairs {
      for (base, letter) in zip(bases.unicodeScalars, letters.unicodeScalars) {
        voiced[letter] = [base, mark]
      }
    }
    return voiced
  }()

  private static let pairs: [(bases: String, letters: String, mark: Unicode.Scalar)] = [
    ("かきくけこさしすせそたちつてとはひふへほうゝ", "がぎぐげござじずぜぞだぢづでどばびぶべぼゔゞ", "\u{3099}"),
    ("カキクケコサシスセソタチツテトハヒフヘホウワヰヱヲヽ", "ガギグゲゴザジズゼゾダヂヅデドバビブベボヴヷヸヹヺヾ", "\u{3099}"),
    ("はひふへほ", "ぱぴぷぺぽ", "\u{309A}"), ("ハヒフヘホ", "パピプペポ", "\u{309A}"),
  ]
}
