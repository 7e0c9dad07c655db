/// Names of months, and words for a.m. and p.m., in the languages of feeds.
enum DateWords {
  /// Returns the month whose name the word begins with, from 1 to 12, or `nil` if it begins with none.
  static func month(_ word: UnsafeBufferPointer<UInt8>) -> Int? {
    guard word.count >= 3 else { return nil }
    if isWeekday(word) { return nil }
    return english(word) ?? foreign(word)
  }

  /// Returns whether a word means p.m., or `nil` if it is another word.
  static func isAfternoon(_ word: UnsafeBufferPointer<UInt8>) -> Bool? {
    switch word.count {
    case 2 where word[1] | 0x20 == UInt8(ascii: "m"):
      switch word[0] | 0x20 {
      case UInt8(ascii: "a"): return false
      case UInt8(ascii: "p"): return true
      default: return nil
      }
    case 6:
      switch String(decoding: word, as: UTF8.self) {
      case "오전", "上午", "午前", "早上", "凌晨", "清晨": return false
      case "오후", "下午", "午後", "晚上", "晚间", "傍晚": return true
      default: return nil
      }
    // Greek
    case 4:
      switch String(decoding: word, as: UTF8.self) {
      case "πμ", "ΠΜ": return false
      case "μμ", "ΜΜ": return true
      default: return nil
      }
    default: return nil
    }
  }

  /// Returns the year before the first year of a Japanese or Taiwanese era, or `nil` if the word is not an era.
  static func era(_ word: UnsafeBufferPointer<UInt8>) -> Int? {
    guard word.count == 6 else { return nil }
    return switch String(decoding: word, as: UTF8.self) {
    case "令和": 2018
    case "平成": 1988
    case "昭和": 1925
    case "民國", "民国": 1911
    default: nil
    }
  }

  /// Whether the word is 년 (year), or 오전 or 오후 (a.m. or p.m.).
  static func isKorean(_ word: UnsafeBufferPointer<UInt8>) -> Bool {
    word.elementsEqual("년".utf8) || word.elementsEqual("오전".utf8) || word.elementsEqual("오후".utf8)
  }

  /// Prefixes of weekdays that begin like a month. They are compared before the months.
  private static let weekdays: [[UInt8]] = [
    "maand", "maanan", "marte", "mardi", "marți", "marţi", "szerd", "серед",
  ].map { Array($0.utf8) }

  /// Returns the month of an English name, of which the first three letters are compared.
  private static func english(_ word: UnsafeBufferPointer<UInt8>) -> Int? {
    switch (word[0] | 0x20, word[1] | 0x20, word[2] | 0x20) {
    case (0x6A, 0x61, 0x6E): 1
    case (0x66, 0x65, 0x62): 2
    case (0x6D, 0x61, 0x72): 3
    case (0x61, 0x70, 0x72): 4
    case (0x6D, 0x61, 0x79): 5
    case (0x6A, 0x75, 0x6E): 6
    case (0x6A, 0x75, 0x6C): 7
    case (0x61, 0x75, 0x67): 8
    case (0x73, 0x65, 0x70): 9
    case (0x6F, 0x63, 0x74): 10
    case (0x6E, 0x6F, 0x76): 11
    case (0x64, 0x65, 0x63): 12
    default: nil
    }
  }

  /// Returns the month of a name in another language.
  private static func foreign(_ word: UnsafeBufferPointer<UInt8>) -> Int? {
    let name = Array(String(decoding: word, as: UTF8.self).lowercased().utf8)
    for (month, beginnings) in names {
      for beginning in beginnings where name.starts(with: beginning) { return month }
    }
    return nil
  }

  private static func isWeekday(_ word: UnsafeBufferPointer<UInt8>) -> Bool {
    if word.count >= 5, weekdays.contains(where: { hasBeginning(word, $0) }) { return true }
    return switch (word[0] | 0x20, word[1] | 0x20, word[2] | 0x20) {
    case (0x6D, 0x6F, 0x6E), (0x74, 0x75, 0x65), (0x77, 0x65, 0x64), (0x74, 0x68, 0x75), (0x66, 0x72, 0x69),
      (0x73, 0x61, 0x74), (0x73, 0x75, 0x6E):
      true
    default: false
    }
  }

  /// Whether a word begins with these letters, ignoring the case of ASCII letters.
  private static func hasBeginning(_ word: UnsafeBufferPointer<UInt8>, _ letters: [UInt8]) -> Bool {
    word.count >= letters.count
      && zip(word, letters).allSatisfy { $0 == $1 || $1.isASCIILetter && $0 | 0x20 == $1 }
  }

  /// The lowercase prefixes of the names of each month. If two begin alike, the longer one is first.
  private static let names: [(month: Int, beginnings: [[UInt8]])] = spelled.map {
    ($0, $1.map { Array($0.utf8) })
  }
  /// The content of `names` as strings.
  private static let spelled: [(month: Int, beginnings: [String])] = [
    // Croatian names are compared before similar words of its neighbours.
    (6, ["lipanj", "lipnj"]),
    (
      7,
      [
        "juil", "júl", "jūl", "juul", "lug", "srpanj", "srpnj", "lip", "liep", "iul", "ιούλ", "ιουλ", "ιολ",
        "июл", "јул", "юли", "лип", "ліп", "tem", "čvc", "červenec", "červenc", "heinä",
      ]
    ),
    (
      6,
      [
        "juin", "jún", "jūn", "juun", "giu", "cze", "iun", "birž", "ιούν", "ιουν", "ιον", "июн", "јун", "юни",
        "чер", "чэр", "haz", "čvn", "červen", "červn", "kesä",
      ]
    ),
    (
      1,
      [
        "ene", "gen", "sty", "ian", "jaan", "saus", "sij", "ιαν", "янв", "яну", "јан", "січ", "студз", "oca",
        "led", "tammi", "jän",
      ]
    ),
    (
      2, ["fév", "fev", "lut", "veeb", "vasari", "velj", "φεβ", "фев", "феб", "лют", "şub", "úno", "helmi"]
    ),
    (3, ["mär", "mrz", "már", "maa", "mrt", "kov", "ožu", "μάρ", "μαρ", "мар", "бер", "сакав", "bře"]),
    (
      4,
      [
        "avr", "abr", "ápr", "kwi", "baland", "trav", "απρ", "апр", "кві", "красав", "nis", "dub", "huhti",
      ]
    ),
    (
      5,
      [
        "mai", "mag", "mei", "máj", "maj", "geguž", "svib", "μάι", "μαϊ", "μαι", "μάϊ", "мая", "май", "мај",
        "тра", "kvě", "touko",
      ]
    ),
    (
      8,
      [
        "aoû", "aou", "ago", "agu", "ágú", "sie", "rugp", "kolov", "αύγ", "αυγ", "авг", "сер", "жні", "ağu",
        "srp", "elo",
      ]
    ),
    (9, ["set", "sze", "wrz", "rugs", "ruj", "σεπ", "сен", "сеп", "вер", "eyl", "zář", "syys"]),
    (10, ["okt", "ott", "out", "paź", "pazd", "spal", "οκτ", "окт", "жов", "кастр", "eki", "říj", "loka"]),
    (
      11,
      [
        "noé", "noë", "noi", "nóv", "lis", "lapkr", "stud", "νοέ", "νοε", "ноя", "ное", "нов", "лис", "ліст",
        "kas", "marras",
      ]
    ),
    (
      12,
      [
        "déc", "dez", "dic", "des", "dets", "gru", "δεκ", "дек", "дец", "гру", "сне", "ara", "pro", "joulu",
      ]
    ),
  ]
}
