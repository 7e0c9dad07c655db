import Markup
package import Messages
package import Screen

extension Enclosure {
  /// The http or https URL for a program that fetches or plays the attachment, or `nil` if the attachment has no such
  /// URL.
  package var webAddress: String? {
    guard let openable = OpenableAddress(url), openable.isWeb else { return nil }
    return openable.text
  }

  /// Whether the attachment's media type is that of a picture.
  package var isPicture: Bool { type?.lowercased().hasPrefix("image/") == true }

  /// The media type, size and duration, as far as they are known, for example `audio/mpeg, 34 MB, 1:02:33`; otherwise
  /// the URL.
  package var text: SafeText {
    let parts = [type.map { SafeText(untrusted: $0) }, length.map(Self.size), duration.map(Self.time)]
      .compactMap { $0 }
    guard let first = parts.first else { return SafeText(untrusted: url) }
    return parts.dropFirst().reduce(first) { $0 + ", " + $1 }
  }

  /// Returns a size in decimal units, as is usual for downloads.
  private static func size(_ bytes: Int) -> SafeText {
    let units: [(SafeText, Int)] = [("GB", 1_000_000_000), ("MB", 1_000_000), ("kB", 1000)]
    for (unit, size) in units where bytes >= size {
      // One decimal only for small numbers: 1.2 GB, but 34 MB.
      let tenths = bytes / (size / 10)
      return tenths < 100 ? "\(tenths / 10).\(tenths % 10) \(unit)" : "\(bytes / size) \(unit)"
    }
    return "\(bytes) B"
  }

  private static func time(_ seconds: Int) -> SafeText {
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let (hours, minutes, rest) = (seconds / 3600, seconds / 60 % 60, seconds % 60)
    return SafeText(
      untrusted: hours > 0 ? "\(hours):\(two(minutes)):\(two(rest))" : "\(minutes):\(two(rest))")
  }
}
