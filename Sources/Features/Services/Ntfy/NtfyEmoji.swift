import Basics
import CResources

/// The signs of the usual tags (docs.ntfy.sh/emojis): ntfy puts them in front of the title.
enum NtfyEmoji {
  /// By tag, from the lines of Resources/tables/ntfy-emoji.txt: a sign, and its tags.
  static let signs: [String: String] = {
    var signs: [String: String] = [:]
    var count = 0
    let bytes = UnsafeBufferPointer(start: reddot_words("ntfy-emoji", &count), count: count)
    for line in String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline) {
      let words = line.split(exactly: " ")
      guard let sign = words.first else { continue }
      for name in words.dropFirst() { signs[String(name)] = String(sign) }
    }
    return signs
  }()
}
