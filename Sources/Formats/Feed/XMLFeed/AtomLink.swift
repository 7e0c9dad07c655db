/// The relation of an Atom link to its entry or feed (RFC 4287 section 4.2.7.2).
enum AtomLink: Equatable {
  /// The page itself.
  case page
  /// The same in another format than HTML: used if there is no page.
  case otherForm
  case enclosure
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
    case "alternate", "":
      switch type?.lowercased() {
      case nil, "", "text/html", "application/xhtml+xml": self = .page
      default: self = .otherForm
      }
    case "enclosure": self = .enclosure
    default: self = .unrelated
    }
  }
}
