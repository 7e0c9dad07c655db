import Basics
import Formats

/// The use of a picture or a frame, judging by its attributes.
struct PictureSigns {
  private let attributes: HTMLAttributes
  private let classes: [Substring]

  init(_ attributes: HTMLAttributes) {
    self.attributes = attributes
    classes = (attributes["class"] ?? "").lowercased().split { $0.isWhitespace }
  }

  /// Whether the picture has only one pixel: it only notifies the sender that the text was opened.
  var isInvisible: Bool {
    for side in ["width", "height"] {
      if let dots = attributes[side].flatMap(PictureSigns.dots), dots <= 1 { return true }
      if let dots = styled(side), dots <= 1 { return true }
    }
    return false
  }

  /// Whether the element is a frame without room, because it counts readers or a script shows it later. A frame as wide
  /// as its column may have `width: 0; min-width: 100%`.
  var isFrameWithoutRoom: Bool {
    func isNothing(_ side: String) -> Bool {
      [attributes[side].flatMap(PictureSigns.dots), styled(side)].contains { $0.map { $0 <= 1 } ?? false }
    }
    return isNothing("height")
      || isNothing("width") && attributes["style"]?.lowercased().contains("min-width") != true
  }

  /// Whether the picture is the author's avatar, which is the same in all the author's messages.
  var isAvatar: Bool {
    if classes.contains(where: { $0.contains("avatar") }) { return true }
    let source = (attributes["src"] ?? "").lowercased()
    return ["gravatar.com/avatar", "//avatars."].contains { source.contains($0) }
  }

  /// Whether the picture is used like a word: it is a smiley, a formula, or no higher than a line.
  ///
  /// - Parameter description: the alternative text.
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

  /// The sides in pixels, or `nil` if they are not given.
  var width: Int? { whole("width") }
  var height: Int? { whole("height") }

  /// Whether both sides are known.
  var hasSize: Bool { width != nil && height != nil }

  /// Whether the picture is only a line, a space or a symbol.
  var isSmall: Bool {
    let sides = [side("width"), side("height")].compactMap { $0 }
    return sides.contains { $0 < PictureSigns.leastSide }
      || sides.count == 2 && sides.allSatisfy { $0 <= PictureSigns.lineHeight }
  }

  /// Returns a side in whole pixels, or `nil` if it is unknown or out of range.
  private func whole(_ name: String) -> Int? {
    side(name).flatMap { (1...Double(Limits.pictureSide)).contains($0) ? Int($0) : nil }
  }

  /// The minimum side in pixels: one row of a terminal.
  private static let leastSide = 16.0

  /// The classes of formulas.
  private static let wordClasses: Set<Substring> = ["latex", "tex", "mwe-math-fallback-image-inline"]
  /// The height of a line in pixels: that of the largest common smileys.
  private static let lineHeight = 32.0

  /// Whether text consists only of emoji.
  private static func isEmoji(_ text: String) -> Bool {
    text.unicodeScalars.count <= 16
      && text.unicodeScalars.allSatisfy { scalar in
        scalar.value > 0x7F && (scalar.properties.isEmoji || scalar.properties.isEmojiModifier)
          || [0x200D, 0xFE0F, 0x20E3].contains(scalar.value) || (0xE0020...0xE007F).contains(scalar.value)
      }
  }

  /// Returns a side in pixels, from its attribute or from `style`.
  private func side(_ name: String) -> Double? { attributes[name].flatMap(PictureSigns.dots) ?? styled(name) }

  /// Returns a side from `style`, in pixels.
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

  /// Whether an element is Flash, which can no longer be played.
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
