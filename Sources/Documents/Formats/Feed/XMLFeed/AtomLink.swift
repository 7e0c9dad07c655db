/// The relation of an Atom link to its entry or feed (RFC 4287 section 4.2.7.2).
enum AtomLink: Equatable {
  /// The HTML page of the entry or feed.
  case page
  /// The page in another format than HTML, which is used if there is no HTML page.
  case otherForm
  case enclosure
  /// The page with the replies to an entry (RFC 4685 section 4).
  case discussion
  case unrelated

  init(rel: String?, type: String?) {
    var rel = rel?.lowercased() ?? "alternate"
    for registry in [
      "http://www.iana.org/assignments/relation/", "http://www.iana.org/assignments/link-relations/",
    ]
    where rel.hasPrefix(registry) {
      rel = String(rel.dropFirst(registry.count))
    }
    switch rel {
    case "alternate", "": self = Self.isPage(type) ? .page : .otherForm
    case "enclosure": self = .enclosure
    case "replies": self = Self.isPage(type) ? .discussion : .unrelated
    default: self = .unrelated
    }
  }

  /// Whether a media type is that of a page, or missing.
  private static func isPage(_ type: String?) -> Bool {
    switch type?.lowercased() {
    case nil, "", "text/html", "application/xhtml+xml": true
    default: false
    }
  }
}
