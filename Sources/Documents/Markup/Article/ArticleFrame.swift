import Basics
import Formats

/// A frame of a page that belongs to the text around it: a player, a document, or another page with its own title.
///
/// Most frames of pages are advertisements, counters, consent dialogs, forms and sharing buttons.
struct ArticleFrame: Hashable {
  /// The URL to open.
  let address: String

  /// Returns `nil` for a frame that isn't part of an article.
  init?(_ attributes: HTMLAttributes) {
    guard !PictureSigns(attributes).isFrameWithoutRoom else { return nil }
    let title = FrameTitle(attributes["title"] ?? "")
    guard let address = MediaAddress.of(attributes) else {
      // This is a preview that loads the player when it is pressed.
      guard let player = attributes["srcdoc"].flatMap(EmbeddedPlayer.address(inPreview:)) else { return nil }
      self.address = player
      return
    }
    switch FrameAddress(address).use {
    case .service: return nil
    case .content: if title.isAdvertisers { return nil }
    case .unknown: if title.isAdvertisers || !title.isOwn { return nil }
    }
    let classes = attributes["class"]?.split(whereSeparator: \.isWhitespace) ?? []
    self.address = classes.contains("wp-embedded-content") ? Self.page(of: address) : address
  }

  /// Returns the page that WordPress shows in a frame, from the URL of the frame.
  private static func page(of address: String) -> String {
    let page = address.prefix { $0 != "#" }
    for (end, length) in [("?embed=true", 11), ("&embed=true", 11), ("/embed/", 6), ("/embed", 5)]
    where page.hasSuffix(end) {
      return String(page.dropLast(length))
    }
    return String(page)
  }
}

/// The title of a frame, from its site or from a service.
struct FrameTitle {
  private let words: [Substring]

  init(_ title: String) { words = title.lowercased().split { !$0.isLetter } }

  /// Whether it is the title of an advertisement. A long title may be that of an article about advertisements.
  var isAdvertisers: Bool {
    isShort
      && words.contains { word in
        Self.advertisements.contains(word) || Self.beginnings.contains { word.hasPrefix($0) }
      }
  }

  /// Whether it describes the content of the frame, and this is not one of the services that most sites use.
  var isOwn: Bool {
    !words.allSatisfy(Self.generic.contains) && !(isShort && words.contains(where: Self.services.contains))
  }

  private var isShort: Bool { words.count <= 5 }

  private static let advertisements: Set<Substring> = ["ad", "ads", "anuncio"]

  /// The beginnings of words for advertisements in several languages.
  private static let beginnings = [
    "advert", "anzeige", "pubblicit", "publicid", "publicit", "reklam", "sponsor", "werbung",
  ]

  private static let generic: Set<Substring> = [
    "a", "an", "blank", "container", "content", "document", "embed", "embedded", "empty", "external", "frame",
    "html",
    "iframe", "inline", "object", "of", "page", "the", "this", "untitled", "widget",
  ]

  private static let services: Set<Substring> = [
    "analytics", "button", "captcha", "ccpa", "challenge", "chat", "comments", "consent", "cookie", "cookies",
    "disqus",
    "feedback", "gdpr", "hcaptcha", "login", "messenger", "newsletter", "privacy", "reblog", "recaptcha",
    "signup",
    "subscribe", "tracking",
  ]
}
