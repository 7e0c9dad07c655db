import CResources
import Foundation

/// Reads the name of a zone as the zone database, calendars and Windows write it, and as an offset.
///
/// The environment is not read here, since the sign of an offset has the opposite meaning there: see `SystemZone`.
enum ZoneName {
  /// Returns the zone with a name, or `nil` if no zone has it.
  static func zone(_ name: String) -> TimeZone? {
    guard name.utf8.count <= 200 else { return nil }
    let name = name.trimmingCharacters(in: unused)
    if name.isEmpty { return nil }
    if utc.contains(name.lowercased()) { return .gmt }
    return ofDatabase(name) ?? ofPath(name) ?? ofWindows(name) ?? ofOffset(name) ?? ofOffsetWithWords(name)
      ?? ofTwoOffsets(name)
  }

  /// Characters that some programs write around a name.
  private static let unused = CharacterSet.whitespacesAndNewlines.union(CharacterSet(charactersIn: "\"'/"))

  /// The names of UTC, in lower case.
  private static let utc: Set<String> = [
    "utc", "gmt", "z", "zulu", "etc/utc", "etc/gmt", "tzone://microsoft/utc", "utc/gmt", "gmt/utc",
  ]

  // MARK: The zone database

  /// Reads `Europe/Vienna`, in any case, and with spaces for underscores.
  private static func ofDatabase(_ name: String) -> TimeZone? {
    let name = name.replacingBytes(" ", with: "_")
    if let known = known[name.lowercased()] { return TimeZone(identifier: known) }
    // Former names of zones aren't listed.
    guard name.contains("/"), name.utf8.count <= 64 else { return nil }
    return TimeZone(identifier: name) ?? TimeZone(identifier: capitalized(name))
  }

  /// The identifiers of the zone database, keyed by their lowercase form.
  private static let known = Dictionary(
    TimeZone.knownTimeZoneIdentifiers.map { ($0.lowercased(), $0) }, uniquingKeysWith: { first, _ in first })

  /// Returns `us/eastern` as `US/Eastern`.
  private static func capitalized(_ name: String) -> String {
    var isFirst = true
    let letters = name.map { letter in
      defer { isFirst = "/_-".contains(letter) }
      return isFirst ? letter.uppercased() : letter.lowercased()
    }
    let text = letters.joined()
    return text.hasPrefix("Us/") ? "US/" + text.dropFirst(3) : text
  }

  /// Reads the end of a path: `/example.org/20260101/America/Argentina/Salta`.
  private static func ofPath(_ name: String) -> TimeZone? {
    let parts = name.split(onBytes: "/")
    for count in [3, 2] where parts.count > count {
      if let zone = ofDatabase(parts.suffix(count).joined(separator: "/")) { return zone }
    }
    return nil
  }

  // MARK: Windows

  /// Reads `W. Europe Standard Time`, also with the number that Outlook appends, and `Eastern Time (US & Canada)`.
  private static func ofWindows(_ name: String) -> TimeZone? {
    let key = key(name)
    let unnumbered = key.last?.isNumber == true && key.dropLast().last == " " ? String(key.dropLast(2)) : key
    return (windows[key] ?? windows[unnumbered]).flatMap(TimeZone.init(identifier:))
  }

  /// The names in the zone database, keyed by the names in Windows, from the table Resources/tables/windows-zones.txt.
  ///
  /// Each line of the table has the name in the database, then the names in Windows. The first of these is in the table
  /// "windowsZones" of Unicode's CLDR; the others are shown to users.
  private static let windows: [String: String] = {
    var names: [String: String] = [:]
    var count = 0
    let bytes = UnsafeBufferPointer(start: reddot_words("windows-zones", &count), count: count)
    for line in String(decoding: bytes, as: UTF8.self).split(onBytes: "\n") {
      let parts = line.split(onBytes: "\t").map(String.init)
      for name in parts.dropFirst() { names[key(name)] = parts[0] }
    }
    return names
  }()

  /// Returns the form of a name for comparisons: lowercase letters and digits, with one space for each run of other
  /// characters; `&` becomes "and".
  private static func key(_ name: String) -> String {
    let words = name.lowercased().replacingBytes("&", with: " and ").split {
      !$0.isLetter && !$0.isNumber && $0 != "+" && $0 != "-"
    }
    return words.joined(separator: " ")
  }

  // MARK: Offsets

  /// Reads `UTC+02:00`, `GMT-0500`, `UTC-3`, `+05:30`: hours east of Greenwich, as ISO 8601 counts them.
  private static func ofOffset(_ name: String) -> TimeZone? {
    guard let found = name.wholeMatch(of: #/(?i:UTC|GMT)? ?([+\-\u{2212}])(\d{1,2})(?::?(\d{2}))?/#) else {
      return nil
    }
    return seconds(found.1, found.2, found.3).flatMap { TimeZone(secondsFromGMT: $0) }
  }

  /// Returns the seconds of an offset, or `nil` if it has more than 14 hours.
  private static func seconds(_ sign: Substring, _ hours: Substring, _ minutes: Substring?) -> Int? {
    guard let hours = Int(hours), let minutes = Int(minutes ?? "0"), hours <= 14, minutes < 60 else {
      return nil
    }
    return (sign == "+" ? 1 : -1) * (hours * 3600 + minutes * 60)
  }

  /// Reads `(UTC-05:00) Eastern Time (US and Canada)`. The words name a zone; if they do not, only the offset is known.
  private static func ofOffsetWithWords(_ name: String) -> TimeZone? {
    guard
      let found = name.prefixMatch(of: #/\(((?i:UTC|GMT) ?(?:[+\-\u{2212}]\d{1,2}:?\d{2})?)\) */#)
    else { return nil }
    let words = String(name[found.range.upperBound...])
    return ofDatabase(words) ?? ofWindows(words) ?? ofOffset(String(found.1))
      ?? (utc.contains(found.1.lowercased()) ? .gmt : nil)
  }

  /// Reads `GMT -0500 (Standard) / GMT -0400 (Daylight)`, and returns the zone that most users mean by the two offsets.
  private static func ofTwoOffsets(_ name: String) -> TimeZone? {
    let pattern =
      #/(?i:UTC|GMT) ?([+\-])(\d{1,2}):?(\d{2})? ?\(Standard\) ?\/ ?(?i:UTC|GMT) ?([+\-])(\d{1,2}):?(\d{2})? ?\(Daylight\)/#
    guard let found = name.wholeMatch(of: pattern), let standard = seconds(found.1, found.2, found.3),
      let daylight = seconds(found.4, found.5, found.6)
    else { return nil }
    if standard == daylight { return TimeZone(secondsFromGMT: standard) }
    return standard + 3600 == daylight ? withDaylight[standard / 60].flatMap(TimeZone.init(identifier:)) : nil
  }

  /// The names of zones with daylight saving time, keyed by their minutes east of Greenwich in winter.
  private static let withDaylight = [
    -600: "America/Adak", -540: "America/Anchorage", -480: "America/Los_Angeles", -420: "America/Denver",
    -360: "America/Chicago", -300: "America/New_York", -240: "America/Halifax", -210: "America/St_Johns",
    -60: "Atlantic/Azores", 0: "Europe/London", 60: "Europe/Berlin", 120: "Europe/Helsinki",
    570: "Australia/Adelaide", 600: "Australia/Sydney", 720: "Pacific/Auckland",
  ]
}
