import Basics
import CResources

/// The emoji of common tags (docs.ntfy.sh/emojis), which ntfy shows before the title.
enum NtfyEmoji {
  /// The emoji, keyed by tag. Each line of Resources/tables/ntfy-emoji.txt contains an emoji and its tags.
  static let signs: [String: String] = {
    var signs: [String: String] = [:]
    var count = 0
    let bytes = UnsafeBufferPointer(start: reddot_words("ntfy-emoji", &count), count: count)
    for line in String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline) {
      let words = line.split(onBytes: " ")
      guard let sign = words.first else { continue }
      for name in words.dropFirst() { signs[String(name)] = String(sign) }
    }
    return signs
  }()
}
