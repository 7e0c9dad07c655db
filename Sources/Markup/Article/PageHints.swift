import HTML

/// What a page's author says about an element: its name, its role, its classes.
struct PageHints {
  /// What the page calls its article, the surest first.
  enum Scope: Int, CaseIterable, Hashable {
    /// schema.org's `articleBody`, and the class of the microformat h-entry for it.
    case body
    case article
    case main
  }

  var scope: Scope?
  /// Usually not a part of the article.
  var isSurrounding = false
  /// Never a part of it.
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
    if attributes["itemprop"]?.lowercased().split(separator: " ").contains("articlebody") == true {
      scope = .body
    }
    guard !isPage, name != "main", scope != .body else { return }
    for attribute in [attributes["class"], attributes["id"]] {
      guard let value = attribute, !value.isEmpty else { continue }
      for name in value.utf8.prefix(Self.longestValue).split(whereSeparator: { $0 <= 0x20 }) {
        take(String(Substring(name)).lowercased())
      }
    }
  }

  private mutating func take(_ name: String) {
    if name == "e-content" { scope = .body }
    if Self.ignored.contains(name) { isIgnored = true }
    if name.split(whereSeparator: { !$0.isLetter }).contains(where: { Self.surrounding.contains(String($0)) })
    {
      isSurrounding = true
    }
  }

  /// Bytes of a `class` that are looked at.
  private static let longestValue = 512

  /// Whole names. What readers wrote may be longer than the article.
  private static let ignored: Set<String> = [
    "comments", "comment", "comment-list", "commentlist", "comments-area", "comment-section",
    "comments-section",
    "comments-wrapper", "disqus_thread", "sr-only", "visually-hidden", "visuallyhidden",
    "screen-reader-text", "mw-editsection", "mw-jump-link", "skip-link",
  ]

  /// Words of names: "related-posts", "post_share".
  private static let surrounding: Set<String> = [
    "ad", "ads", "advert", "advertisement", "breadcrumb", "breadcrumbs", "byline", "comment", "comments",
    "consent", "cookie", "cookies", "dateline", "disqus", "gutter", "masthead", "menu", "meta", "modal",
    "nav", "navbar",
    "navbox", "navigation", "newsletter", "outbrain", "pager", "pagination", "popup", "promo", "promoted",
    "recommendations", "recommended", "related", "share", "sharing", "sidebar", "social", "sponsor",
    "sponsored", "subscribe", "taboola", "tags", "teaser", "teasers", "toolbar", "widget",
  ]
}
