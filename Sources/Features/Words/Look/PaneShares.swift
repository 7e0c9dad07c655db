import Basics
package import Messages

/// The share of each pane in percent of the screen; `nil` for the default at the screen's size.
///
/// The shares are set in the settings and changed with keys. A pane gets less if another one would become too narrow.
package struct PaneShares: Hashable, Sendable {
  /// The share of the sources in the screen's columns.
  package var sources: Int?
  /// The share of the list in the screen's columns while the reader is next to it.
  package var list: Int?
  /// The share of the timeline in the rows between the header and the bottom line.
  package var timeline: Int?

  /// The allowed values in settings and for keys.
  package static let range = 5...90

  package init(sources: Int? = nil, list: Int? = nil, timeline: Int? = nil) {
    self.sources = sources
    self.list = list
    self.timeline = timeline
  }

  /// Returns these shares, in which each share that is not set is replaced by that of `others`.
  package func over(_ others: PaneShares) -> PaneShares {
    PaneShares(
      sources: sources ?? others.sources, list: list ?? others.list, timeline: timeline ?? others.timeline)
  }

  // MARK: As text, the stored form

  /// The shares in the form `sources=20 list=40`; empty if nothing is set.
  package var text: String {
    let parts = [("sources", sources), ("list", list), ("timeline", timeline)]
    return parts.compactMap { name, share in share.map { "\(name)=\($0)" } }.joined(separator: " ")
  }

  /// Creates the shares from a string in the form of `text`. Unknown parts and values out of range are
  /// ignored.
  package init(text: String) {
    self.init()
    for part in text.split(onBytes: " ") {
      let pair = part.split(onBytes: "=", omittingEmptySubsequences: false)
      guard pair.count == 2, let share = Int(pair[1]), Self.range.contains(share) else { continue }
      switch pair[0] {
      case "sources": sources = share
      case "list": list = share
      case "timeline": timeline = share
      default: continue
      }
    }
  }
}

/// The number of lines of a message's row. The second one shows the origin and the time of the message.
package enum RowLines: Hashable, Sendable {
  /// Two lines in a narrow list, otherwise one.
  case auto
  case one, two
}

/// The settings of the layout.
package struct LayoutOptions: Hashable, Sendable {
  /// The shares of the panes, which apply until the user changes them with keys.
  package var shares: PaneShares
  /// The maximum width of a line of a message's text, in columns.
  package var textWidth: Int
  /// The order of lists until the user asks for another one.
  package var order: ListOrder
  /// Whether consecutive messages with the same source and title are combined into one row.
  package var foldsRepeats: Bool

  package var rowLines = RowLines.auto
  /// Whether the selection moves to the next message after a message is marked unread or read.
  package var unreadMovesOn = true
  /// The short names of sources, by source name, that rows show if the title doesn't fit.
  package var shortNames: [String: String] = [:]

  /// The default of `textWidth`, since wider lines are hard to read, and its allowed values.
  package static let standardTextWidth = 72
  package static let textWidths = 20...500

  package init(
    shares: PaneShares = PaneShares(), textWidth: Int = standardTextWidth, order: ListOrder = .newest,
    foldsRepeats: Bool = false
  ) {
    self.shares = shares
    self.textWidth = textWidth
    self.order = order
    self.foldsRepeats = foldsRepeats
  }
}
