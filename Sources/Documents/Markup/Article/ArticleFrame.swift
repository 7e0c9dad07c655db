import Basics
import Formats

/// A frame (`iframe`) of a page that is a part of the article: a player, a document, or another page with its own
/// title.
///
/// Most frames are not a part of the article: they are advertisements, counters, consent dialogs, forms and
/// sharing buttons.
struct ArticleFrame: Hashable {
  /// The URL to open instead of the frame.
  let address: String

  /// Creates the frame with these attributes, or returns `nil` if it is not a part of the article.
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

  /// Returns the URL of the page that WordPress shows in a frame, given the URL of the frame.
  private static func page(of address: String) -> String {
    let page = address.prefix { $0 != "#" }
    for (end, length) in [("?embed=true", 11), ("&embed=true", 11), ("/embed/", 6), ("/embed", 5)]
    where page.hasSuffix(end) {
      return String(page.dropLast(length))
    }
    return String(page)
  }
}

/// The title of a frame, which the page's author or the service in the frame wrote.
struct FrameTitle {
  private let words: [Substring]

  init(_ title: String) { words = title.lowercased().split { !$0.isLetter } }

  /// Whether the title is that of an advertisement. A long title may be that of an article about advertisements.
  var isAdvertisers: Bool {
    isShort
      && words.contains { word in
        Self.advertisements.contains(word) || Self.beginnings.contains { word.hasPrefix($0) }
      }
  }

  /// Whether the title describes the frame's content, so that it is neither a generic word nor a service that most
  /// sites use.
  var isOwn: Bool {
    !words.allSatisfy(Self.generic.contains) && !(isShort && words.contains(where: Self.services.contains))
  }

  private var isShort: Bool { words.count <= 5 }

  /// Whole words for advertisements.
  private static let advertisements: Set<Substring> = ["ad", "ads", "anuncio"]

  /// The beginnings of words for advertisements in several languages.
  private static let beginnings = [
    "advert", "anzeige", "pubblicit", "publicid", "publicit", "reklam", "sponsor", "werbung",
  ]

  /// Words that do not describe the content.
  private static let generic: Set<Substring> = [
    "a", "an", "blank", "container", "content", "document", "embed", "embedded", "empty", "external", "frame",
    "html",
    "iframe", "inline", "object", "of", "page", "the", "this", "untitled", "widget",
  ]

  /// Words for services that are not a part of articles.
  private static let services: Set<Substring> = [
    "analytics", "button", "captcha", "ccpa", "challenge", "chat", "comments", "consent", "cookie", "cookies",
    "disqus",
    "feedback", "gdpr", "hcaptcha", "login", "messenger", "newsletter", "privacy", "reblog", "recaptcha",
    "signup",
    "subscribe", "tracking",
  ]
}
