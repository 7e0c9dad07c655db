import Limits

/// What a feed says of a recording, a film or a file that comes with an entry.
package struct EnclosureFacts: Hashable, Sendable {
  /// Its media type as written.
  package var type: String?
  /// In bytes.
  package var length: Int?
  /// In seconds.
  package var duration: Int?

  /// - Parameters:
  ///   - type: nil or empty where none was given.
  ///   - length: a number of bytes; one below 1 is none.
  ///   - duration: as `seconds(of:)` reads it.
  package init(type: String? = nil, length: String? = nil, duration: String? = nil) {
    self.type = type.map(AuthorName.collapsed).flatMap {
      $0.isEmpty ? nil : $0.cut(toBytes: Limits.nameBytes)
    }
    self.length = length.flatMap { Int($0.trimmingXMLSpace) }.flatMap { $0 > 0 ? $0 : nil }
    self.duration = duration.flatMap(Self.seconds)
  }

  /// Takes over what another element says of the same file.
  mutating func complete(with other: EnclosureFacts) {
    type = type ?? other.type
    length = length ?? other.length
    duration = duration ?? other.duration
  }

  /// The seconds of `h:mm:ss`, `m:ss` or a number of seconds, a fraction of which is dropped.
  static func seconds(of text: String) -> Int? {
    let parts = text.trimmingXMLSpace.split(separator: ":", omittingEmptySubsequences: false)
    guard (1...3).contains(parts.count) else { return nil }
    var seconds = 0
    for (index, part) in parts.enumerated() {
      // Only the last part may have a fraction.
      let whole = index == parts.count - 1 ? part.prefix { $0 != "." } : part
      guard (1...7).contains(whole.utf8.count), whole.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
        let number = Int(whole)
      else { return nil }
      seconds = seconds * 60 + number
    }
    return seconds > 0 ? seconds : nil
  }

  /// Whether Media RSS means a picture: by what it says, else by the end of the address.
  static func isPicture(medium: String?, type: String?, url: String) -> Bool {
    if let medium = medium?.lowercased() { return medium == "image" }
    if let type, !type.isEmpty { return type.lowercased().hasPrefix("image/") }
    let path = url.prefix { $0 != "?" && $0 != "#" }.lowercased()
    return [".jpg", ".jpeg", ".png", ".gif", ".webp", ".svg", ".avif"].contains { path.hasSuffix($0) }
  }
}
