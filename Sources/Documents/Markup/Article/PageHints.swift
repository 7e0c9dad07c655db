import Basics
import Formats

/// Hints in a page about the use of an element: its name, its role and its classes.
struct PageHints {
  /// The ways in which a page marks its article, the most reliable first.
  enum Scope: Int, CaseIterable, Hashable {
    /// schema.org's `articleBody`, and the class of the microformat h-entry for it.
    case body
    case article
    case main
  }

  /// The way in which the element is marked as the article, or `nil` if it is not.
  var scope: Scope?
  /// Whether the element is usually not a part of the article.
  var isSurrounding = false
  /// Whether the element is never a part of the article.
  var isIgnored = false

  init(_ name: String, _ attributes: HTMLAttributes) {
    let isPage = name == "html" || name == "body"
    // Some pages are hidden until a script shows them.
    if !isPage, attributes.areHiding || attributes["aria-hidden"] == "true" { isIgnored = true }
    switch attributes["role"]?.lowercased() {
    case "main": scope = .main
    case "article": scope = .article
    case "navigation", "complementary", "search", "dialog", "alertdialog", "menu", "menubar", "toolbar":
      isIgnored = true
    case "banner", "contentinfo", "form": isSurrounding = true
    case _: break
    }
    if name == "main" { scope = .main }
    if name == "article" { scope = .article }
    if attributes["itemprop"]?.lowercased().split(onBytes: " ").contains("articlebody") == true {
      scope = .body
    }
    guard !isPage, name != "main", scope != .body else { return }
    if let names = attributes["class"] {
      for name in names.utf8.prefix(Self.longestValue).split(whereSeparator: { $0 <= 0x20 }) {
        read(className: String(Substring(name)).lowercased())
      }
    }
    // The words of a heading become the id of its section: "sharing-with-others".
    if let id = attributes["id"]?.lowercased() {
      if Self.ignored.contains(id) { isIgnored = true }
      if Self.surroundingIDs.contains(id) { isSurrounding = true }
    }
  }

  /// Reads the hints in one class name.
  private mutating func read(className name: String) {
    if name == "e-content" { scope = .body }
    if Self.ignored.contains(name) { isIgnored = true }
    // The part after "--" is a variant: "row--share" is a row.
    let words = name.prefix(upTo: name.firstRange(of: "--")?.lowerBound ?? name.endIndex)
      .split { !$0.isLetter }
    guard let first = words.first, !Self.aboutOthers.contains(String(first)) else { return }
    if words.contains(where: { Self.surrounding.contains(String($0)) })
      || Self.beginnings.contains(where: { beginning in words.contains { $0.hasPrefix(beginning) } })
    {
      isSurrounding = true
    }
  }

  /// The number of bytes of a `class` attribute that are examined.
  private static let longestValue = 512

  /// Whole names of classes and ids whose elements are ignored. Readers' comments may be longer than the article.
  private static let ignored: Set<String> = [
    "comments", "comment", "comment-list", "commentlist", "comments-area", "comment-section",
    "comments-section",
    "comments-wrapper", "disqus_thread", "sr-only", "visually-hidden", "visuallyhidden",
    "screen-reader-text", "mw-editsection", "mw-jump-link", "skip-link",
  ]

  /// The first words of class names that describe an element's style or neighbours: "js-share", "has-sidebar".
  private static let aboutOthers: Set<String> = [
    "js", "is", "has", "no", "not", "with", "without", "hide", "show", "hidden", "data",
  ]

  /// Words in class names that mean surroundings of the article: "post_share".
  private static let surrounding: Set<String> = [
    "ad", "ads", "affiliate", "author", "authors", "autor", "byline", "carousel", "consent", "cookie",
    "cookies", "copyright", "cta", "dateline", "disclaimer", "disclosure", "disqus", "gallery",
    "masthead", "menu", "meta", "modal", "nav", "navbar", "navbox", "navigation", "outbrain", "pager",
    "pagination", "paywall", "popup", "promo", "promoted", "ratings", "share", "sharing", "slideshow",
    "social", "taboola", "tags",
    "teaser", "teasers", "toolbar",
  ]

  /// Ids of elements that surround the article.
  private static let surroundingIDs: Set<String> = [
    "ads", "breadcrumbs", "jp-relatedposts", "masthead", "nav", "navbar", "respond", "sidebar", "social",
  ]

  /// The beginnings of words in class names that mean surroundings of the article: "relatedposts".
  private static let beginnings = [
    "advert", "breadcrumb", "comment", "newsletter", "recommend", "related", "sharedaddy", "sidebar",
    "sponsor",
    "subscri",
  ]
}
