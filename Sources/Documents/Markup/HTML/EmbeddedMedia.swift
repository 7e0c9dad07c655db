import Formats

/// A recording, a frame or a player, of which only the URL can be shown. It is shown in the same way in a message and
/// in the article of a page.
struct EmbeddedMedia: Hashable {
  /// The kind and the title, for example `video: A talk`.
  var label: String
  /// Whether it is a frame with another page, which may show anything.
  var isFrame = false
  /// The URL, or `nil` if it is that of the first inner element that has one.
  var address: String?

  /// Creates the medium of an element.
  ///
  /// - Parameters:
  ///   - kind: `video`, `audio`, `page`, `object` or `post`.
  ///   - player: the URL of the player's page, if the element is a player that `EmbeddedPlayer` recognises.
  /// - Returns: `nil` for Flash, which can no longer be played, and for a frame of one pixel, which is for counting
  ///   readers.
  init?(_ kind: String, _ attributes: HTMLAttributes, player: String? = nil, isFrame: Bool = false) {
    let sides = ["width", "height"].compactMap { attributes[$0] }.compactMap { Int($0) }
    if PictureSigns.isFlash(attributes) || sides.count == 2 && sides.allSatisfy({ $0 <= 1 }) { return nil }
    let title = attributes["title"] ?? attributes["playlabel"]
    label = kind + (title.map { ": " + $0 } ?? "")
    self.isFrame = isFrame
    address = player ?? MediaAddress.of(attributes) ?? attributes["data"]
  }

  /// Returns the medium that an element shows, or `nil` if the element shows none.
  static func of(_ name: String, _ attributes: HTMLAttributes) -> EmbeddedMedia? {
    switch HTMLRole.named(name).embedding(name, attributes) {
    case .embedded(let kind, let player):
      EmbeddedMedia(kind, attributes, player: player, isFrame: kind == "page" && player == nil)
    case .player: MediaAddress.of(attributes) == nil ? nil : EmbeddedMedia("object", attributes)
    case _: nil
    }
  }
}

extension HTMLRole {
  /// Returns `embedded` if the element is a player that `EmbeddedPlayer` recognises, or otherwise this role.
  func embedding(_ name: String, _ attributes: HTMLAttributes) -> HTMLRole {
    guard self == .transparent || self == .block, let player = EmbeddedPlayer.of(name, attributes) else {
      return self
    }
    return .embedded(player.label, player: player.address)
  }
}
