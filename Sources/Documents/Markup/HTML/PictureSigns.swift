import Basics
import Formats

/// The signs, in a picture's attributes, of the picture's use.
struct PictureSigns {
  private let attributes: HTMLAttributes
  private let classes: [Substring]

  init(_ attributes: HTMLAttributes) {
    self.attributes = attributes
    classes = (attributes["class"] ?? "").lowercased().split { $0.isWhitespace }
  }

  /// Whether it is a picture of one pixel, which only notifies the sender that the text was opened.
  var isInvisible: Bool {
    for side in ["width", "height"] {
      if let dots = attributes[side].flatMap(PictureSigns.dots), dots <= 1 { return true }
      if let dots = styled(side), dots <= 1 { return true }
    }
    return false
  }

  /// Whether a frame has no room, because it counts readers or a script shows it later. A frame as wide as its column
  /// may have `width: 0; min-width: 100%`.
  var isFrameWithoutRoom: Bool {
    func isNothing(_ side: String) -> Bool {
      [attributes[side].flatMap(PictureSigns.dots), styled(side)].contains { $0.map { $0 <= 1 } ?? false }
    }
    return isNothing("height")
      || isNothing("width") && attributes["style"]?.lowercased().contains("min-width") != true
  }

  /// Whether it is the author's avatar, which is the same in all the author's messages.
  var isAvatar: Bool {
    if classes.contains(where: { $0.contains("avatar") }) { return true }
    let source = (attributes["src"] ?? "").lowercased()
    return ["gravatar.com/avatar", "//avatars."].contains { source.contains($0) }
  }

  /// Whether it is used like a word: a smiley, a formula, a picture no higher than a line.
  func isWord(_ description: String) -> Bool {
    if description.isEmpty { return false }
    let isNamed = classes.contains { name in
      PictureSigns.wordClasses.contains(name)
        || ["emoji", "smiley", "emoticon"].contains { name.contains($0) }
    }
    if isNamed || PictureSigns.isEmoji(description) { return true }
    guard let width = side("width"), let height = side("height") else { return false }
    return height <= PictureSigns.lineHeight && width <= PictureSigns.lineHeight
  }

  /// The sides in pixels, if they are known.
  var width: Int? { whole("width") }
  var height: Int? { whole("height") }

  /// Whether both sides are known.
  var hasSize: Bool { width != nil && height != nil }

  /// Whether it is a line, a space or a symbol instead of a picture.
  var isSmall: Bool {
    let sides = [side("width"), side("height")].compactMap { $0 }
    return sides.contains { $0 < PictureSigns.leastSide }
      || sides.count == 2 && sides.allSatisfy { $0 <= PictureSigns.lineHeight }
  }

  private func whole(_ name: String) -> Int? {
    side(name).flatMap { (1...Double(Limits.pictureSide)).contains($0) ? Int($0) : nil }
  }

  /// The minimum side in pixels: one row of a terminal.
  private static let leastSide = 16.0

  private static let wordClasses: Set<Substring> = ["latex", "tex", "mwe-math-fallback-image-inline"]
  /// The height of a line in pixels: that of the largest common smileys.
  private static let lineHeight = 32.0

  private static func isEmoji(_ text: String) -> Bool {
    text.unicodeScalars.count <= 16
      && text.unicodeScalars.allSatisfy { scalar in
        scalar.value > 0x7F && (scalar.properties.isEmoji || scalar.properties.isEmojiModifier)
          || [0x200D, 0xFE0F, 0x20E3].contains(scalar.value) || (0xE0020...0xE007F).contains(scalar.value)
      }
  }

  private func side(_ name: String) -> Double? { attributes[name].flatMap(PictureSigns.dots) ?? styled(name) }

  /// A side from `style`, in pixels.
  private func styled(_ side: String) -> Double? {
    guard let style = attributes["style"] else { return nil }
    for declaration in style.lowercased().split(onBytes: ";") {
      let parts = declaration.split(onBytes: ":", maxSplits: 1)
      guard parts.count == 2, parts[0].filter({ !$0.isWhitespace }) == side else { continue }
      return PictureSigns.dots(String(parts[1].prefix { $0 != "!" }))
    }
    return nil
  }

  /// Parses a length in pixels, with or without "px", or returns `nil` for other units.
  private static func dots(_ text: String) -> Double? {
    var text = text.lowercased().filter { !$0.isWhitespace }
    if text.hasSuffix("px") { text.removeLast(2) }
    return Double(text).flatMap { $0.isFinite ? $0 : nil }
  }

  /// Whether it is Flash, which can no longer be played.
  static func isFlash(_ attributes: HTMLAttributes) -> Bool {
    if attributes["type"]?.lowercased().contains("shockwave-flash") == true { return true }
    // The class id of Flash on Windows.
    if attributes["classid"]?.lowercased().contains("d27cdb6e-ae6d-11cf-96b8-444553540000") == true {
      return true
    }
    let address = (attributes["src"] ?? attributes["data"] ?? "").lowercased()
    return address.prefix { $0 != "?" && $0 != "#" }.hasSuffix(".swf")
  }
}
