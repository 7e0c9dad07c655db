/// The relation of an Atom link to its entry or feed (RFC 4287 section 4.2.7.2).
enum AtomLink: Equatable {
  /// The page itself.
  case page
  /// Another format than HTML of the page, used if there is no page.
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

  private static func isPage(_ type: String?) -> Bool {
    switch type?.lowercased() {
    case nil, "", "text/html", "application/xhtml+xml": true
    default: false
    }
  }
}
