import Basics
package import Screen
import Words

/// Draws the whole screen for a state and a size. A pure function; accepts any size, even 0×0.
package func render(_ state: AppState, _ size: Size) -> Frame {
  var drawing = Drawing(state, Frame(size: size))
  drawing.draw()
  let theme = drawing.theme
  drawing.frame.restyle { theme.look(of: $0) }
  return drawing.frame
}

/// A frame being filled.
struct Drawing {
  let state: AppState
  let layout: Layout
  let today: WallTime
  var frame: Frame
  /// A failure that has no room below the fields of a form: it is drawn at the bottom.
  var formFailure: StyledText?

  // Stored here, since each access through the state makes a copy.
  let words: Words
  let signs: Signs
  let theme: Theme
  /// The background of the selected row, or `nil` if it is reversed.
  let ground: Color?

  /// - Parameter frame: the frame to draw on.
  init(_ state: AppState, _ frame: Frame) {
    self.state = state
    self.frame = frame
    layout = state.layout(for: frame.size)
    today = WallTime(state.now, in: state.options.zone)
    words = state.options.words
    signs = state.options.signs
    theme = state.options.shownTheme
    ground = state.options.selectionGround
  }

  mutating func draw() {
    frame.title = title
    guard !frame.size.isEmpty else { return }
    drawHeader()
    if state.dialog.coversPanes {
      drawRule(layout.rule, isFocused: true)
      drawOverlay()
    } else if layout.isCovered {
      drawRule(layout.rule, isFocused: false)
      drawBanner()
    } else {
      drawRules()
      if let area = layout.sources { drawSources(area) }
      if let area = layout.messages { drawMessages(area) }
      if let area = layout.reader { drawReader(area) }
      if let area = layout.timeline { drawTimeline(area) }
      drawBanner()
    }
    drawBottom()
    parkCursor()
  }

  /// The terminal's title: `● 3 reddot` while something is unseen.
  private var title: SafeText {
    guard state.counts.isUnseen else { return "reddot" }
    return state.counts.unread > 0 ? "\(signs.dot) \(state.counts.unread) reddot" : "\(signs.dot) reddot"
  }

  // MARK: Lines between panes

  private mutating func drawRules() {
    let panes = [layout.sources, layout.messages, layout.reader].compactMap { $0 }
    for (pane, area) in [
      (Pane.sources, layout.sources), (.messages, layout.messages), (.reader, layout.reader),
    ] {
      guard let area, !layout.rule.isEmpty else { continue }
      let segment = Rect(
        column: area.origin.column, row: layout.rule.origin.row, columns: area.size.columns, rows: 1)
      drawRule(segment, isFocused: state.focus.pane == pane)
    }
    if panes.isEmpty { drawRule(layout.rule, isFocused: true) }
    for area in panes.dropFirst() {
      let column = area.origin.column - 1
      for row in area.rows {
        frame.write(signs.vertical, at: Point(column: column, row: row), style: Palette.quiet)
      }
      if !layout.rule.isEmpty {
        frame.write(
          signs.joint, at: Point(column: column, row: layout.rule.origin.row), style: Palette.quiet)
      }
    }
    guard !layout.timelineRule.isEmpty else { return }
    let isFocused = state.focus.pane == .timeline
    drawRule(layout.timelineRule, isFocused: isFocused)
    let place = Point(column: 2, row: layout.timelineRule.origin.row)
    frame.write(" " + words(.polls) + " ", at: place, in: layout.timelineRule, style: Palette.heading)
  }

  /// Draws a horizontal line, which is thick above the pane that has the focus.
  private mutating func drawRule(_ area: Rect, isFocused: Bool) {
    guard !area.isEmpty else { return }
    frame.write(
      SafeText(isFocused ? signs.heavy : signs.light, count: area.size.columns), at: area.origin, in: area,
      style: isFocused ? Palette.accent : Palette.quiet)
  }

  // MARK: Parts that several panes draw

  /// Reverses the selected line, or tints its background, while its pane has the focus. The bar at its beginning is
  /// always shown.
  mutating func drawSelection(_ row: Rect, isFocused: Bool) {
    if isFocused {
      let (theme, ground) = (theme, ground)
      frame.restyle(row) { theme.selection(over: $0, on: ground) }
      frame.parkedCursor = row.origin
    }
    var style = Palette.accent
    if isFocused, let ground { style.background = ground }
    frame.write(signs.bar, at: row.origin, in: row, style: style)
  }

  /// Draws lines of explanation in an empty pane.
  mutating func drawNote(_ lines: [StyledText], in area: Rect) {
    let inner = area.inset(left: Layout.margin(area.size.columns), right: Layout.margin(area.size.columns))
    var row = inner.origin.row + (inner.size.rows > 4 ? 1 : 0)
    for line in lines {
      for part in line.wrapped(to: inner.size.columns) {
        frame.write(part, at: Point(column: inner.origin.column, row: row), in: inner)
        row += 1
      }
    }
  }

  /// The spinner's current picture, or the symbol that replaces it.
  var spinner: SafeText {
    guard state.options.animations, !signs.spinner.isEmpty else { return signs.still }
    return signs.spinner[
      ((state.animation.frame % signs.spinner.count) + signs.spinner.count) % signs.spinner.count]
  }
}
