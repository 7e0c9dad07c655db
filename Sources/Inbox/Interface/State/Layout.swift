import Messages
import Screen
import Words

/// Where each part is on a screen of some size. A part that does not fit is nil or empty.
///
/// From 140 columns there are three panes. From 70, sources and messages are side by side, and the
/// reader takes the whole width; from 90 it is beside the messages. Below 70, and while a pane is zoomed, one pane has
/// the screen.
struct Layout: Hashable, Sendable {
  static let threePanes = 140
  static let readerBeside = 90
  static let twoPanes = 70
  /// The minimum size of a pane.
  private static let fewest = (sources: 12, list: 24, reader: 30, rows: 4)

  /// How the screen is divided if it is large enough.
  struct Division: Hashable, Sendable {
    var shares = PaneShares()
    /// The widest line of text.
    var textWidth = LayoutOptions.standardTextWidth
    /// Whether the pane with the keys has the whole screen.
    var isZoomed = false
    /// Lines of a message's row.
    var rowLines = 1
  }

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

  private let division: Division

  /// - Parameters:
  ///   - pane: the pane that has the keys.
  ///   - inner: of sources, messages and reader, the one that has them or had them last.
  ///   - banner: shown above or below the panes, or over all of them.
  ///   - isSingle: whether panes are never side by side, without a line above them.
  init(
    _ size: Size, pane: Pane, inner: Pane, hasTimeline: Bool, banner: BannerPlacement? = nil,
    isSingle: Bool = false, division: Division = Division()
  ) {
    self.division = division
    let screen = Rect(size)
    prompt = screen.splitBottom(1).bottom
    var rest = screen
    if size.rows >= 4 { (header, rest) = rest.splitTop(1) }
    if size.rows >= 3 { (rest, bottom) = rest.splitBottom(1) }
    if !isSingle, size.rows >= 12, size.columns >= 2 { (rule, rest) = rest.splitTop(1) }
    body = rest
    if let banner { dock(banner, in: &rest) }
    if hasTimeline {
      if rest.size.rows >= 14, !division.isZoomed {
        let dock: Rect
        (rest, dock) = rest.splitBottom(timelineRows(of: rest.size.rows))
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

  /// With the line above it.
  private func timelineRows(of rows: Int) -> Int {
    guard let share = division.shares.timeline else { return max(7, rows * 2 / 5) }
    return min(max(Self.fewest.rows, Self.part(share, of: rows)), rows - Self.fewest.rows)
  }

  private mutating func divide(_ area: Rect, inner: Pane) {
    let columns = area.size.columns
    if columns >= Self.threePanes, !division.isZoomed {
      let (left, others) = area.splitLeft(
        sourcesColumns(of: columns, besides: Self.fewest.list + Self.fewest.reader + 2) {
          min(28, max(20, columns * 18 / 100))
        })
      let rest = others.splitLeft(1).rest
      let list = listColumns(of: columns, within: rest.size.columns) {
        rest.size.columns - 1 - min(division.textWidth + 2, rest.size.columns * 52 / 100)
      }
      let (middle, right) = rest.splitLeft(list)
      sources = left
      messages = middle
      reader = right.splitLeft(1).rest
    } else if columns >= Self.twoPanes, inner != .reader, !division.isZoomed {
      let (left, others) = area.splitLeft(
        sourcesColumns(of: columns, besides: Self.fewest.list + 1) { min(26, max(22, columns * 24 / 100)) })
      sources = left
      messages = others.splitLeft(1).rest
    } else if columns >= Self.readerBeside, !division.isZoomed {
      let (left, others) = area.splitLeft(listColumns(of: columns, within: columns) { columns * 38 / 100 })
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

  /// - Parameter besides: the columns that the other panes and the lines between them need.
  private func sourcesColumns(of columns: Int, besides: Int, usual: () -> Int) -> Int {
    guard let share = division.shares.sources else { return usual() }
    return min(max(Self.fewest.sources, Self.part(share, of: columns)), columns - besides)
  }

  /// - Parameter room: the columns of list and reader together, with the line between them.
  private func listColumns(of columns: Int, within room: Int, usual: () -> Int) -> Int {
    guard let share = division.shares.list else { return usual() }
    return min(max(Self.fewest.list, Self.part(share, of: columns)), room - 1 - Self.fewest.reader)
  }

  /// To the nearest whole number.
  private static func part(_ share: Int, of whole: Int) -> Int { (whole * share + 50) / 100 }

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

  /// How many messages, or rows of another pane, can be seen; at least 1.
  func items(of pane: Pane) -> Int {
    pane == .messages ? max(1, rows(of: pane) / division.rowLines) : rows(of: pane)
  }

  /// The place in the list of a row of its pane.
  func item(atRow row: Int) -> Int { row / division.rowLines }

  /// Columns of a message's text: the reader has a margin at each side if it is wide enough.
  var readerColumns: Int? {
    guard let columns = reader?.size.columns else { return nil }
    return max(1, min(division.textWidth, columns - 2 * Self.margin(columns)))
  }

  // MARK: Shares

  /// The shares after the pane got that many percent more, or less; nil if it is the only one.
  func shares(giving pane: Pane, percent: Int) -> PaneShares? {
    var shares = division.shares
    func changed(_ now: Int, of whole: Int, by percent: Int) -> Int {
      let share = (now * 100 + whole / 2) / max(1, whole) + percent
      return min(max(PaneShares.range.lowerBound, share), PaneShares.range.upperBound)
    }
    let columns = prompt.size.columns
    switch (pane, sources, messages, reader) {
    case (.timeline, _, _, _):
      guard let timeline, !timelineRule.isEmpty else { return nil }
      let panes = sources ?? messages ?? reader
      let rows = timeline.size.rows + 1
      shares.timeline = changed(rows, of: rows + (panes?.size.rows ?? 0), by: percent)
    case (.sources, let sources?, .some, _):
      shares.sources = changed(sources.size.columns, of: columns, by: percent)
    case (.messages, _, let messages?, .some):
      shares.list = changed(messages.size.columns, of: columns, by: percent)
    case (.messages, let sources?, .some, nil):
      shares.sources = changed(sources.size.columns, of: columns, by: -percent)
    case (.reader, _, let messages?, .some):
      shares.list = changed(messages.size.columns, of: columns, by: -percent)
    default: return nil
    }
    return shares
  }

  static func margin(_ columns: Int) -> Int { columns >= 24 ? 1 : 0 }

  /// The pane under a place on the screen.
  func pane(at point: Point) -> Pane? {
    Pane.allCases.first { self[$0]?.contains(point) == true }
  }
}
