import Screen

/// Where each part is on a screen of some size. A part that does not fit is nil or empty.
///
/// From 110 columns there are three panes. From 70, sources and messages are side by side, and the
/// reader takes the whole width; from 90 it is beside the messages. Below 70, one pane has the screen.
struct Layout: Hashable, Sendable {
  static let threePanes = 110
  static let readerBeside = 90
  static let twoPanes = 70
  /// Wider lines are hard to read.
  static let measure = 88

  private(set) var header: Rect = .zero
  /// Between header and panes; shows which pane has the keys.
  private(set) var rule: Rect = .zero
  /// The area of help and lists of choices; otherwise divided between the panes.
  private(set) var body: Rect = .zero
  private(set) var sources: Rect?
  private(set) var messages: Rect?
  private(set) var reader: Rect?
  private(set) var timelineRule: Rect = .zero
  private(set) var timeline: Rect?
  /// The area of a banner's text, and the line between it and the panes.
  private(set) var banner: Rect?
  private(set) var bannerRule: Rect = .zero
  /// Whether it hides the panes completely.
  private(set) var isCovered = false
  private(set) var bottom: Rect = .zero
  /// Where a prompt goes, even if there is no room for a bottom line.
  private(set) var prompt: Rect = .zero

  /// - Parameters:
  ///   - pane: the pane that has the keys.
  ///   - inner: of sources, messages and reader, the one that has them or had them last.
  ///   - banner: goes beside the panes, or over all of them.
  ///   - isSingle: whether panes are never side by side, and no line stands above them.
  init(
    _ size: Size, pane: Pane, inner: Pane, hasTimeline: Bool, banner: BannerPlacement? = nil,
    isSingle: Bool = false
  ) {
    let screen = Rect(size)
    prompt = screen.splitBottom(1).bottom
    var rest = screen
    if size.rows >= 4 { (header, rest) = rest.splitTop(1) }
    if size.rows >= 3 { (rest, bottom) = rest.splitBottom(1) }
    if !isSingle, size.rows >= 12, size.columns >= 2 { (rule, rest) = rest.splitTop(1) }
    body = rest
    if let banner { dock(banner, in: &rest) }
    if hasTimeline {
      if rest.size.rows >= 14 {
        let dock: Rect
        (rest, dock) = rest.splitBottom(max(7, rest.size.rows * 2 / 5))
        (timelineRule, timeline) = dock.splitTop(1)
      } else if pane == .timeline {
        timeline = rest
        return
      }
    }
    if isSingle { show(inner, in: rest) } else { divide(rest, inner: inner) }
  }

  /// The panes keep three rows; where that does not fit, the banner covers them.
  private mutating func dock(_ banner: BannerPlacement, in rest: inout Rect) {
    let room = rest.size.rows
    guard room > 0 else { return }
    var text: Rect
    if let wanted = banner.rows, room >= 5 {
      let rows = min(wanted + 1, room - 3)
      let area: Rect
      switch banner.origin {
      case .top:
        (area, rest) = rest.splitTop(rows)
        (text, bannerRule) = area.splitBottom(1)
      case .bottom:
        (rest, area) = rest.splitBottom(rows)
        (bannerRule, text) = area.splitTop(1)
      }
    } else {
      isCovered = true
      (bannerRule, text) = room >= 3 ? rest.splitTop(1) : (.zero, rest)
    }
    let margin = Self.margin(text.size.columns)
    text = text.inset(left: margin, right: margin)
    self.banner = text
  }

  private mutating func divide(_ area: Rect, inner: Pane) {
    let columns = area.size.columns
    if columns >= Self.threePanes {
      let (left, others) = area.splitLeft(min(28, max(20, columns * 18 / 100)))
      let rest = others.splitLeft(1).rest
      let (middle, right) = rest.splitRight(min(Self.measure + 2, rest.size.columns * 52 / 100))
      sources = left
      messages = middle.splitRight(1).rest
      reader = right
    } else if columns >= Self.twoPanes, inner != .reader {
      let (left, others) = area.splitLeft(min(26, max(18, columns * 24 / 100)))
      sources = left
      messages = others.splitLeft(1).rest
    } else if columns >= Self.readerBeside {
      let (left, others) = area.splitLeft(columns * 38 / 100)
      messages = left
      reader = others.splitLeft(1).rest
    } else {
      show(inner, in: area)
    }
  }

  private mutating func show(_ pane: Pane, in area: Rect) {
    switch pane {
    case .sources: sources = area
    case .messages, .timeline: messages = area
    case .reader: reader = area
    }
  }

  subscript(pane: Pane) -> Rect? {
    switch pane {
    case .sources: sources
    case .messages: messages
    case .reader: reader
    case .timeline: timeline
    }
  }

  /// How many rows of a pane can be seen; at least 1, so that scrolling always has a step.
  func rows(of pane: Pane) -> Int { max(1, self[pane]?.size.rows ?? 1) }

  /// Columns of a message's text: the reader has a margin at each side if it is wide enough.
  var readerColumns: Int? {
    guard let columns = reader?.size.columns else { return nil }
    return max(1, min(Self.measure, columns - 2 * Self.margin(columns)))
  }

  static func margin(_ columns: Int) -> Int { columns >= 24 ? 1 : 0 }

  /// The pane under a place on the screen.
  func pane(at point: Point) -> Pane? {
    Pane.allCases.first { self[$0]?.contains(point) == true }
  }
}
