import Messages
import Screen
import Words

/// The area of each part of a screen of some size. A part that does not fit is `nil` or empty.
///
/// From 140 columns there are three panes. From 70, sources and messages are side by side, and the reader takes the
/// whole width; from 90 it is next to the messages. Below 70, and while a pane is zoomed, one pane has the screen.
struct Layout: Hashable, Sendable {
  /// The minimum width, in columns, for sources, messages and reader side by side.
  static let threePanes = 140
  /// The minimum width, in columns, for messages and reader side by side.
  static let readerBeside = 90
  /// The minimum width, in columns, for sources and messages side by side.
  static let twoPanes = 70
  /// The minimum width of the list at which a message's row has one line, and lines can name the days.
  static let wideList = 60
  /// The maximum height of a screen, in rows, at which each message's row names its day instead of a line
  /// above it.
  private static let rowsWithoutDays = 24
  /// The minimum widths of the panes, in columns, and the minimum number of rows of a pane.
  private static let fewest = (sources: 12, list: 24, reader: 30, rows: 4)

  /// The user's choices for the division of the screen into panes. They apply if the screen is large enough.
  struct Division: Hashable, Sendable {
    var shares = PaneShares()
    /// The maximum width of a line of text.
    var textWidth = LayoutOptions.standardTextWidth
    /// Whether the pane with the focus has the whole screen.
    var isZoomed = false
    var rowLines = RowLines.auto
  }

  private(set) var header: Rect = .zero
  /// The line between header and panes; it shows which pane has the focus.
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
  /// Whether the banner hides the panes completely.
  private(set) var isCovered = false
  private(set) var bottom: Rect = .zero
  /// The area of a prompt, even if there is no room for a bottom line.
  private(set) var prompt: Rect = .zero

  private let division: Division
  private let isSingle: Bool
  private let size: Size

  /// - Parameters:
  ///   - pane: the pane that has the focus.
  ///   - inner: the one among sources, messages and reader that has the focus or had it last.
  ///   - banner: shown above or below the panes, or over all of them.
  ///   - isSingle: whether panes are never side by side, without a line above them, as for a screen reader.
  init(
    _ size: Size, pane: Pane, inner: Pane, hasTimeline: Bool, banner: BannerPlacement? = nil,
    isSingle: Bool = false, division: Division = Division()
  ) {
    self.division = division
    self.isSingle = isSingle
    self.size = size
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

  /// Places the banner. The panes keep three rows; if that does not fit, the banner covers them.
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

  /// Returns the number of rows of the timeline, with the line above it.
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

  /// Returns the width of the sources' pane: its share of the screen, or `usual` if no share is set.
  ///
  /// - Parameter besides: the columns that the other panes and the lines between them need.
  private func sourcesColumns(of columns: Int, besides: Int, usual: () -> Int) -> Int {
    guard let share = division.shares.sources else { return usual() }
    return min(max(Self.fewest.sources, Self.part(share, of: columns)), columns - besides)
  }

  /// Returns the width of the list: its share of the screen, or `usual` if no share is set.
  ///
  /// - Parameter room: the columns of list and reader together, with the line between them.
  private func listColumns(of columns: Int, within room: Int, usual: () -> Int) -> Int {
    guard let share = division.shares.list else { return usual() }
    return min(max(Self.fewest.list, Self.part(share, of: columns)), room - 1 - Self.fewest.reader)
  }

  /// Returns a part in percent, rounded to the nearest whole number.
  private static func part(_ share: Int, of whole: Int) -> Int { (whole * share + 50) / 100 }

  subscript(pane: Pane) -> Rect? {
    switch pane {
    case .sources: sources
    case .messages: messages
    case .reader: reader
    case .timeline: timeline
    }
  }

  /// Returns the number of visible rows of a pane; at least 1, so that scrolling always has a step.
  func rows(of pane: Pane) -> Int { max(1, self[pane]?.size.rows ?? 1) }

  /// The number of lines of a message's row. A screen reader reads the line of the cursor, so its rows have one line
  /// unless the settings have another number.
  var rowLines: Int { lines(division.rowLines) }

  /// Returns the number of lines of a message's row with this setting.
  func lines(_ rowLines: RowLines) -> Int {
    switch rowLines {
    case .one: return 1
    case .two: return 2
    case .auto:
      guard let messages, !isSingle else { return 1 }
      return messages.size.columns < Self.wideList && messages.size.rows >= Self.fewest.rows ? 2 : 1
    }
  }

  /// Whether the list has room for lines that name the days of its messages. In a list for a screen reader, the rows
  /// name them.
  var hasRoomForDays: Bool {
    guard let messages, !isSingle else { return false }
    return size.rows > Self.rowsWithoutDays && messages.size.columns >= Self.wideList
      && messages.size.rows >= 2 * Self.fewest.rows
  }

  /// The number of columns of a message's text: the reader has a margin at each side if it is wide enough.
  var readerColumns: Int? {
    guard let columns = reader?.size.columns else { return nil }
    return max(1, min(division.textWidth, columns - 2 * Self.margin(columns)))
  }

  // MARK: Shares

  /// Returns the shares after the pane got a larger or smaller percentage, or `nil` if it is the only one.
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

  /// Returns the number of columns left free at each side of a pane with this width.
  static func margin(_ columns: Int) -> Int { columns >= 24 ? 1 : 0 }

  /// Returns the pane at a point of the screen.
  func pane(at point: Point) -> Pane? {
    Pane.allCases.first { self[$0]?.contains(point) == true }
  }
}
