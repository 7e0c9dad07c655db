import Limits

/// Names of months, and words for a.m. and p.m., in the languages of feeds.
enum DateWords {
  /// The month whose name the word begins with, 1 to 12.
  static func month(_ word: UnsafeBufferPointer<UInt8>) -> Int? {
    guard word.count >= 3 else { return nil }
    if isWeekday(word) { return nil }
    return english(word) ?? foreign(word)
  }

  /// Whether a word means p.m.; nil if it is another word.
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
      case "오전", "上午", "午前": return false
      case "오후", "下午", "午後": return true
      default: return nil
      }
    default: return nil
    }
  }

  /// 년 (year), 오전 and 오후 (a.m. and p.m.).
  static func isKorean(_ word: UnsafeBufferPointer<UInt8>) -> Bool {
    word.elementsEqual("년".utf8) || word.elementsEqual("오전".utf8) || word.elementsEqual("오후".utf8)
  }

  /// Weekdays that begin like a month: they are compared first.
  private static let weekdays: [[UInt8]] = [
    "maand", "maanan", "marte", "mardi", "marți", "marţi", "szerd", "серед",
  ].map { Array($0.utf8) }

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

  /// Whether a word begins with letters, of which the ASCII ones may be in any case.
  private static func hasBeginning(_ word: UnsafeBufferPointer<UInt8>, _ letters: [UInt8]) -> Bool {
    word.count >= letters.count
      && zip(word, letters).allSatisfy { $0 == $1 || $1.isASCIILetter && $0 | 0x20 == $1 }
  }

  /// Prefixes in lower case; of two with the same beginning the longer one is first.
  private static let names: [(month: Int, beginnings: [[UInt8]])] = spelled.map {
    ($0, $1.map { Array($0.utf8) })
  }
  private static let spelled: [(month: Int, beginnings: [String])] = [
    (
      7,
      [
        "juil", "júl", "lug", "lip", "iul", "ιούλ", "ιουλ", "ιολ", "июл", "лип", "tem", "čvc", "červenec",
        "heinä",
      ]
    ),
    (
      6,
      [
        "juin", "jún", "giu", "cze", "iun", "ιούν", "ιουν", "ιον", "июн", "чер", "haz", "čvn", "červen",
        "kesä",
      ]
    ),
    (1, ["ene", "gen", "sty", "ian", "ιαν", "янв", "січ", "oca", "led", "tammi", "jän"]),
    (2, ["fév", "fev", "lut", "φεβ", "фев", "лют", "şub", "úno", "helmi"]),
    (3, ["mär", "mrz", "már", "maa", "mrt", "μάρ", "μαρ", "мар", "бер", "bře"]),
    (4, ["avr", "abr", "ápr", "kwi", "απρ", "απρίλ", "апр", "кві", "nis", "dub", "huhti"]),
    (
      5, ["mai", "mag", "mei", "máj", "maj", "μάι", "μαϊ", "μαι", "μάϊ", "мая", "май", "тра", "kvě", "touko"]
    ),
    (8, ["aoû", "aou", "ago", "sie", "αύγ", "αυγ", "авг", "сер", "ağu", "srp", "elo"]),
    (9, ["set", "sze", "wrz", "σεπ", "сен", "вер", "eyl", "zář", "syys"]),
    (10, ["okt", "ott", "out", "paź", "οκτ", "окт", "жов", "eki", "říj", "loka"]),
    (11, ["noé", "noë", "lis", "νοέ", "νοε", "ноя", "лис", "kas", "marras"]),
    (12, ["déc", "dez", "dic", "des", "gru", "δεκ", "дек", "гру", "ara", "pro", "joulu"]),
  ]
}
