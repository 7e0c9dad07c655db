/// Durations in settings: `90s`, `10m`, `1h30m`, `2 hours`, `1d`, `500ms`.
package enum DurationText {
  private static let units: [String: Double] = [
    "ms": 0.001, "s": 1, "sec": 1, "second": 1, "seconds": 1, "m": 60, "min": 60, "minute": 60, "minutes": 60,
    "h": 3600, "hour": 3600, "hours": 3600, "d": 86400, "day": 86400, "days": 86400, "w": 604_800,
    "week": 604_800, "weeks": 604_800,
  ]

  /// Parses a duration, or returns `nil` if the text isn't one. A number alone is in seconds.
  package static func parse(_ text: String) -> Duration? {
    guard let parts = QuantityText.parts(text) else { return nil }
    var total = 0.0
    for (number, unit) in parts {
      guard let factor = unit.isEmpty && parts.count == 1 ? 1 : units[unit] else { return nil }
      total += number * factor
    }
    return duration(seconds: total)
  }

  /// Returns a duration, or `nil` if the number is infinite, NaN, or more than about 300 years.
  package static func duration(seconds: Double) -> Duration? {
    seconds.isFinite && seconds.magnitude < 1e10 ? .seconds(seconds) : nil
  }

  /// Returns the shortest text with whole units: `10m`, `1h30m`, `45s`.
  package static func format(_ duration: Duration) -> String {
    var seconds = Int(duration.components.seconds)
    if seconds <= 0 { return "\(duration.components.attoseconds / 1_000_000_000_000_000)ms" }
    var text = ""
    for (name, size) in [("d", 86400), ("h", 3600), ("m", 60), ("s", 1)] where seconds >= size {
      text += "\(seconds / size)\(name)"
      seconds %= size
    }
    return text
  }
}

/// Sizes in settings: `64 MiB`, `10MB`, `4096`.
package enum ByteCountText {
  private static let units: [String: Double] = [
    "": 1, "b": 1, "bytes": 1, "kb": 1e3, "mb": 1e6, "gb": 1e9, "kib": 1024, "mib": 1_048_576,
    "gib": 1_073_741_824, "k": 1024, "m": 1_048_576, "g": 1_073_741_824,
  ]

  package static func parse(_ text: String) -> Int? {
    guard let parts = QuantityText.parts(text), parts.count == 1, let factor = units[parts[0].1] else {
      return nil
    }
    let bytes = parts[0].0 * factor
    return bytes < 1e15 ? Int(bytes) : nil
  }

  /// Returns the size in MiB, for example `64 MiB`, or the number of bytes if it isn't a multiple of 1 MiB.
  static func format(_ bytes: Int) -> String {
    bytes % 1_048_576 == 0 ? "\(bytes / 1_048_576) MiB" : "\(bytes)"
  }
}

private enum QuantityText {
  /// Returns the numbers with their units in lowercase, or `nil` if the text has another form.
  static func parts(_ text: String) -> [(Double, String)]? {
    var parts: [(Double, String)] = []
    var rest = text.lowercased().filter { !$0.isWhitespace }[...]
    while !rest.isEmpty {
      let digits = rest.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
      guard let number = Double(digits) else { return nil }
      rest = rest.dropFirst(digits.count)
      let unit = rest.prefix { $0.isLetter }
      rest = rest.dropFirst(unit.count)
      parts.append((number, String(unit)))
    }
    return parts.isEmpty ? nil : parts
  }
}
