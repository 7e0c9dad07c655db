import Formats

/// Recognises players that are a separate element instead of a frame: `lite-youtube videoid=…`, AMP's elements,
/// `oembed`.
enum EmbeddedPlayer {
  /// Returns the label of a player and the URL of its page, or `nil` if the element is not a known player.
  static func of(_ name: String, _ attributes: HTMLAttributes) -> (label: String, address: String)? {
    if let kind = kinds[name] {
      let address = kind.attributes.lazy.compactMap { page(attributes[$0], below: kind.base) }.first
      return address.map { (kind.label, $0) }
    }
    guard placeholders.contains(name) else { return nil }
    let address = ids.lazy.compactMap { page(attributes[$0.attribute], below: $0.base) }.first
    return address.map { ("video", $0) }
  }

  /// Returns the URL of a player's page, or `nil` if the attribute has no valid id.
  ///
  /// - Parameter base: the beginning of the URL. If it is empty, the attribute is the URL itself.
  private static func page(_ value: String?, below base: String) -> String? {
    guard let value, !value.isEmpty else { return nil }
    if base.isEmpty { return value }
    let isID = value.utf8.allSatisfy { byte in
      UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20 || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
        || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
    }
    return isID ? base + value : nil
  }

  /// A kind of player: the attributes that may contain its id, and the beginning of the URL of its page.
  private struct Kind {
    var label = "video"
    var attributes: [String]
    var base: String
  }

  /// Returns the URL of the player that a preview opens, from the `srcdoc` of a frame, or `nil` if there is none.
  static func address(inPreview html: String) -> String? {
    let preview = Preview()
    var html = html
    html.withUTF8 { HTMLStream(sink: preview, reading: .fragment).run($0) }
    return preview.address
  }

  /// Finds the first URL of a player in HTML.
  private final class Preview: HTMLSink {
    private(set) var address: String?
    var isFull: Bool { address != nil }

    func startElement(_ name: UnsafePointer<UInt8>, _ attributes: HTMLAttributes) {
      let values = [attributes["href"], MediaAddress.of(attributes)]
      address = address ?? values.lazy.compactMap { $0 }.first { FrameAddress($0).use == .content }
    }

    func endElement(_ name: UnsafePointer<UInt8>) {}
    func characters(_ text: UnsafeBufferPointer<UInt8>) {}
  }

  private static let youTube = "https://www.youtube.com/watch?v="
  private static let vimeo = "https://vimeo.com/"

  /// The players, keyed by the names of their elements.
  private static let kinds: [String: Kind] = {
    let ids = ["data-videoid", "videoid", "video-id", "data-video-id"]
    var kinds: [String: Kind] = [
      "amp-dailymotion": Kind(attributes: ids, base: "https://www.dailymotion.com/video/"),
      "amp-twitter": Kind(label: "post", attributes: ["data-tweetid"], base: "https://twitter.com/i/status/"),
      "amp-instagram": Kind(
        label: "post", attributes: ["data-shortcode"], base: "https://www.instagram.com/p/"),
      "amp-soundcloud": Kind(
        label: "audio", attributes: ["data-trackid"],
        base: "https://w.soundcloud.com/player/?url=https://api.soundcloud.com/tracks/"),
      "amp-facebook": Kind(label: "post", attributes: ["data-href"], base: ""),
      "amp-embedly-card": Kind(label: "page", attributes: ["data-url"], base: ""),
      "oembed": Kind(label: "page", attributes: ["url"], base: ""),
    ]
    for name in ["amp-youtube", "lite-youtube", "youtube-video", "youtube-embed"] {
      kinds[name] = Kind(attributes: ids, base: youTube)
    }
    for name in ["amp-vimeo", "lite-vimeo", "vimeo-video"] {
      kinds[name] = Kind(attributes: ids, base: vimeo)
    }
    return kinds
  }()

  /// The elements that a script replaces with a player.
  private static let placeholders: Set<String> = ["div", "span", "figure"]

  /// The attributes of placeholders that contain a player's id, and the beginnings of the URLs of the
  /// players' pages.
  private static let ids: [(attribute: String, base: String)] = [
    ("data-youtube-id", youTube), ("data-yt-id", youTube), ("data-youtube-video-id", youTube),
    ("data-vimeo-id", vimeo),
  ]
}
