import Basics

/// The data that a feed gives about an enclosure: a recording, a video or another file of an entry.
package struct EnclosureFacts: Hashable, Sendable {
  /// The media type as written.
  package var type: String?
  /// The length in bytes.
  package var length: Int?
  /// The duration in seconds.
  package var duration: Int?

  /// Creates the data from the attributes of an element.
  ///
  /// - Parameters:
  ///   - type: `nil` or empty if none is given.
  ///   - length: the number of bytes; values below 1 are ignored.
  ///   - duration: a string for `seconds(of:)`.
  package init(type: String? = nil, length: String? = nil, duration: String? = nil) {
    self.type = type.map(AuthorName.collapsed).flatMap {
      $0.isEmpty ? nil : $0.cut(toBytes: Limits.nameBytes)
    }
    self.length = length.flatMap { Int($0.trimmingXMLSpace) }.flatMap { $0 > 0 ? $0 : nil }
    self.duration = duration.flatMap(Self.seconds)
  }

  /// Fills in missing values from another element for the same file.
  mutating func complete(with other: EnclosureFacts) {
    type = type ?? other.type
    length = length ?? other.length
    duration = duration ?? other.duration
  }

  /// Returns the seconds of `h:mm:ss`, `m:ss` or a number of seconds, or `nil` for other text and for 0. A fraction is
  /// dropped.
  static func seconds(of text: String) -> Int? {
    let parts = text.trimmingXMLSpace.split(onBytes: ":", omittingEmptySubsequences: false)
    guard (1...3).contains(parts.count) else { return nil }
    var seconds = 0
    for (index, part) in parts.enumerated() {
      // Only the last part may have a fraction.
      let whole = index == parts.count - 1 ? part.prefix { $0 != "." } : part
      guard (1...7).contains(whole.utf8.count), whole.utf8.allSatisfy(\.isASCIIDigit),
        let number = Int(whole)
      else { return nil }
      seconds = seconds * 60 + number
    }
    return seconds > 0 ? seconds : nil
  }

  /// Whether the enclosure is Flash, which can no longer be played.
  static func isFlash(type: String?, url: String) -> Bool {
    type?.lowercased().contains("shockwave-flash") == true
      || url.prefix { $0 != "?" && $0 != "#" }.lowercased().hasSuffix(".swf")
  }

  /// Whether an element of Media RSS is a picture, according to its type, or to the URL's extension if it has no type.
  static func isPicture(medium: String?, type: String?, url: String) -> Bool {
    if let medium = medium?.lowercased() { return medium == "image" }
    if let type, !type.isEmpty { return type.lowercased().hasPrefix("image/") }
    let path = url.prefix { $0 != "?" && $0 != "#" }.lowercased()
    return [".jpg", ".jpeg", ".png", ".gif", ".webp", ".svg", ".avif"].contains { path.hasSuffix($0) }
  }
}
