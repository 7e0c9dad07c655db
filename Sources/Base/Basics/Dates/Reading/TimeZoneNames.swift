/// Zone names of RFC 822 section 5.1 and others that feeds use.
enum TimeZoneNames {
  /// Returns the seconds east of UTC, or `nil` if the word isn't a zone's name.
  static func offset(of word: UnsafeBufferPointer<UInt8>) -> Int? {
    guard word.count <= 5 else { return nil }
    var key: UInt64 = 0
    for byte in word {
      guard byte.isASCIILetter else { return nil }
      key = key << 8 | UInt64(byte & 0xDF)
    }
    // RFC 822 gave single letters the wrong signs; RFC 2822 section 4.3 treats all as UTC.
    if word.count == 1 { return 0 }
    return table[key].map { $0 * 60 }
  }

  /// The minutes east of Greenwich, keyed by the letters of a name, which are packed into an integer.
  private static let table: [UInt64: Int] = {
    let names: [(String, Int)] = [
      ("UT", 0), ("UTC", 0), ("GMT", 0), ("WET", 0), ("WEST", 60), ("BST", 60), ("CET", 60), ("MET", 60),
      ("MEZ", 60), ("CEST", 120), ("MEST", 120), ("MESZ", 120), ("EET", 120), ("EEST", 180), ("SAST", 120),
      ("MSK", 180), ("MSD", 240), ("GST", 240), ("PKT", 300), ("IST", 330), ("NPT", 345), ("ICT", 420),
      ("WIB", 420), ("HKT", 480), ("SGT", 480), ("PHT", 480), ("AWST", 480), ("JST", 540), ("KST", 540),
      ("ACST", 570), ("ACDT", 630), ("AEST", 600), ("AEDT", 660), ("NZST", 720), ("NZDT", 780), ("BRT", -180),
      ("ART", -180), ("NST", -210), ("NDT", -150), ("AST", -240), ("ADT", -180), ("EST", -300), ("EDT", -240),
      ("ET", -300), ("CST", -360), ("CDT", -300), ("CT", -360), ("MST", -420), ("MDT", -360), ("MT", -420),
      ("PST", -480), ("PDT", -420), ("PT", -480), ("AKST", -540), ("AKDT", -480), ("HST", -600),
    ]
    var table: [UInt64: Int] = [:]
    for (name, minutes) in names { table[name.utf8.reduce(0) { $0 << 8 | UInt64($1) }] = minutes }
    return table
  }()
}
