/// Maps letters of other scripts to the keys of a US keyboard in the same positions, so that users of such a script can
/// use commands without changing the layout.
///
/// Keys whose layouts give an ASCII character are left out, since that character is a key itself. If two layouts have
/// one letter in different positions, the first layout here has it. Therefore Bulgarian and Serbian, whose letters are
/// those of Russian, aren't here.
enum KeyboardLayout {
  /// The keys of a US keyboard, without and with Shift, in the order of the strings in `rows`.
  private static let usual = Array("`qwertyuiop[]asdfghjkl;'zxcvbnm,.-=")
  private static let shifted = Array("~QWERTYUIOP{}ASDFGHJKL:\"ZXCVBNM<>_+")

  /// The name of each layout and its letters: one scalar for each of the keys in `usual` and `shifted`; `_`
  /// if there is no letter or more than one scalar. Written as in xkeyboard-config's symbols.
  package static let rows: [(name: String, usual: String, shifted: String)] = [
    ("ru", "ёйцукенгшщзхъфывапролджэячсмитьбю__", "ЁЙЦУКЕНГШЩЗХЪФЫВАПРОЛДЖЭЯЧСМИТЬБЮ__"),
    ("ua", "_йцукенгшщзхїфівапролджєячсмитьбю__", "_ЙЦУКЕНГШЩЗХЇФІВАПРОЛДЖЄЯЧСМИТЬБЮ__"),
    ("by", "ёйцукенгшўзх_фывапролджэячсм_тьбю__", "ЁЙЦУКЕНГШЎЗХ_ФЫВАПРОЛДЖЭЯЧСМ_ТЬБЮ__"),
    ("gr", "__ςερτυθιοπ__ασδφγηξκλ__ζχψωβνμ____", "___ΕΡΤΥΘΙΟΠ__ΑΣΔΦΓΗΞΚΛ__ΖΧΨΩΒΝΜ____"),
    ("il", "___קראטוןםפ__שדגכעיחלךף_זסבהנמצתץ__", ""),
    ("ara", "ذضصثقفغعهخحجدشسيبلاتنمكطئءؤر_ىةوز__", ""),
    ("ir", "_ضصثقفغعهخحجچشسیبلاتنمکگظطزرذدپو___", ""),
    (
      "th", "_ๆไำพะัีรนยบลฟหกดเ้่าสวงผปแอิืทมใขช",
      "___ฎฑธํ๊ณฯญฐ_ฤฆฏโฌ็๋ษศซ___ฉฮฺ์_ฒฬ__"
    ),
    ("kr", "_ㅂㅈㄷㄱㅅㅛㅕㅑㅐㅔ__ㅁㄴㅇㄹㅎㅗㅓㅏㅣ__ㅋㅌㅊㅍㅠㅜㅡ____", "_ㅃㅉㄸㄲㅆ___ㅒㅖ________________________"),
  ]

  /// The keys, keyed by the letters in their positions.
  private static let keys: [Unicode.Scalar: Character] = {
    var keys: [Unicode.Scalar: Character] = [:]
    for row in rows {
      for (letters, places) in [(row.usual, usual), (row.shifted, shifted)] {
        for (letter, place) in zip(letters.unicodeScalars, places) where letter != "_" {
          if keys[letter] == nil { keys[letter] = place }
        }
      }
    }
    return keys
  }()

  /// Returns the key of a US keyboard in the position of a letter, or `nil` for other characters.
  package static func key(inPlaceOf character: Character) -> Character? {
    let scalars = character.unicodeScalars
    guard let letter = scalars.first, scalars.count == 1, !letter.isASCII else { return nil }
    return keys[letter]
  }
}
