import Basics

/// The URL of a frame (`iframe`), whose host and path show its use.
struct FrameAddress {
  /// The purpose of a frame.
  enum Use: Hashable {
    /// A player, a map, a chart or a document.
    case content
    /// An advertisement, a counter, a consent dialog, a captcha, a form, comments.
    case service
    case unknown
  }

  /// The host in lower case; empty for a relative URL, which is on the same site.
  private let host: Substring
  /// The path in lower case, with its leading slash.
  private let path: Substring

  init(_ address: String) {
    let text = Substring(address.lowercased())
    var rest = text[...]
    if let colon = text.firstRange(of: "://"), !text[..<colon.lowerBound].contains("/") {
      rest = text[colon.upperBound...]
    } else if text.hasPrefix("//") {
      rest = text.dropFirst(2)
    } else {
      host = ""
      path = text.prefix { $0 != "?" && $0 != "#" }
      return
    }
    let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    path = rest[authority.endIndex...].prefix { $0 != "?" && $0 != "#" }
    let named = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority
    host = named.prefix { $0 != ":" }
  }

  /// The use of the frame, judging by its URL.
  var use: Use {
    if let known { return known }
    let names = host.split(onBytes: ".")
    // The last names are skipped, since a newspaper may be called "ad".
    let servers = names.dropLast(2)
    let segments = path.split(onBytes: "/").map { $0.prefix { $0 != "." } }
    if servers.contains(where: Self.services.contains) || segments.contains(where: Self.services.contains) {
      return .service
    }
    let words = names.dropLast() + path.split { !$0.isLetter }
    let isPlayer = words.contains {
      Self.contents.contains($0) || $0.hasPrefix("embed") || $0.hasSuffix("player")
    }
    return isPlayer ? .content : .unknown
  }

  /// The use according to the tables of hosts, or `nil` if the host is in none of them.
  private var known: Use? {
    var domain = host
    while !domain.isEmpty {
      if Self.isListed(path, below: Self.serviceHosts[domain]) { return .service }
      if Self.isListed(path, below: Self.contentHosts[domain]) { return .content }
      domain = domain.firstIndex(of: ".").map { domain[domain.index(after: $0)...] } ?? ""
    }
    return nil
  }

  /// Whether a path begins with one of these beginnings; `false` if they are `nil`.
  private static func isListed(_ path: Substring, below beginnings: [Substring]?) -> Bool {
    beginnings?.contains { path.hasPrefix($0) } ?? false
  }

  // MARK: Words

  /// The words in a path or in a server's name that mean content.
  private static let contents: Set<Substring> = [
    "audio", "chart", "charts", "infographic", "livestream", "map", "maps", "oembed", "pdf", "players",
    "podcast",
    "podcasts", "slides", "video", "videos", "watch",
  ]

  /// The words that mean a service if they are a whole part of a path or of a server's name.
  private static let services: Set<Substring> = [
    "ad", "ads", "adserver", "adservice", "advertising", "adv", "affiliate", "affiliates", "analytics",
    "banner",
    "banners", "captcha", "ccpa", "cmp", "comments", "consent", "cookies", "donate", "gdpr", "login",
    "newsletter",
    "pagead", "pixel", "recaptcha", "signup", "sponsor", "sponsored", "subscribe", "tracker", "tracking",
  ]

  // MARK: Hosts

  /// The hosts of content, including their subdomains. A path after a host means that only paths with this
  /// beginning count.
  private static let contentHosts = table(
    """
    arcgis.com bandcamp.com buzzsprout.com calendar.google.com canva.com codepen.io dai.ly dailymotion.com datawrapper.de
    deezer.com docs.google.com documentcloud.org drive.google.com dwcdn.net facebook.com/plugins/post
    facebook.com/plugins/video flourish.studio flo.uri.sh genial.ly giphy.com infogram.com instagram.com issuu.com
    megaphone.fm mixcloud.com openstreetmap.fr ourworldindata.org plotly.com plot.ly prezi.com scribd.com slideshare.net
    soundcloud.com spotify.com stackblitz.com streamable.com tableau.com ted.com thinglink.com tiktok.com transistor.fm
    twitch.tv vimeo.com youtu.be youtube.com youtube-nocookie.com
    """)

  /// The hosts of services, in the form of `contentHosts`.
  private static let serviceHosts = table(
    """
    33across.com a-ads.com accounts.google.com addthis.com adform.net adnxs.com adtech.de advertising.com adverticum.net
    amazon-adsystem.com awin1.com challenges.cloudflare.com chartbeat.com consensu.org consentmanager.net cookiebot.com
    cookielaw.org criteo.com criteo.net dianomi.com didomi.io disqus.com doubleclick.net emsecure.net
    facebook.com/plugins/comments facebook.com/plugins/follow facebook.com/plugins/like facebook.com/plugins/page
    facebook.com/plugins/share facebook.com/tr gemius.pl google-analytics.com google.com/recaptcha googleadservices.com
    googlesyndication.com googletagmanager.com hcaptcha.com hotjar.com hsforms.com hsforms.net iubenda.com ivwbox.de
    jetpack.wordpress.com ligatus.com list-manage.com mailjet.com marfeelrev.com mgid.com onetrust.com openx.net
    outbrain.com platform.twitter.com/widgets plista.com privacy-mgmt.com public-api.wordpress.com pubmatic.com
    quantcast.com quantserve.com recaptcha.net revcontent.com rubiconproject.com scorecardresearch.com serving-sys.com
    sharethis.com sibforms.com smartadserver.com sp-prod.net substack.com/embed taboola.com teads.tv tradedoubler.com
    trustarc.com usercentrics.eu vgwort.de widgets.wp.com youtube.com/subscribe_embed
    """)

  /// Parses a list of hosts, which may have paths. Returns the beginnings of the paths that count, keyed by
  /// host.
  private static func table(_ places: String) -> [Substring: [Substring]] {
    var table: [Substring: [Substring]] = [:]
    for place in places.split(whereSeparator: \.isWhitespace) {
      let host = place.prefix { $0 != "/" }
      table[host, default: []].append(place[host.endIndex...])
    }
    return table
  }
}
