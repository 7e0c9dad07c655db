/// How much of the screen each pane has, in percent; nil leaves it to the program, which looks at the screen's size.
///
/// The settings give some, and the user changes them with keys. Where a pane would get too narrow, it gets less.
package struct PaneShares: Hashable, Sendable {
  /// Of the screen's columns.
  package var sources: Int?
  /// Of the screen's columns, while the reader is beside the list.
  package var list: Int?
  /// Of the rows between the header and the bottom line.
  package var timeline: Int?

  /// What the settings and the keys may ask for.
  package static let range = 5...90

  package init(sources: Int? = nil, list: Int? = nil, timeline: Int? = nil) {
    self.sources = sources
    self.list = list
    self.timeline = timeline
  }

  /// These, and where they say nothing the others.
  func over(_ others: PaneShares) -> PaneShares {
    PaneShares(
      sources: sources ?? others.sources, list: list ?? others.list, timeline: timeline ?? others.timeline)
  }

  // MARK: As text, in which form they are remembered

  /// `sources=20 list=40`; empty where nothing is set.
  package var text: String {
    let parts = [("sources", sources), ("list", list), ("timeline", timeline)]
    return parts.compactMap { name, share in share.map { "\(name)=\($0)" } }.joined(separator: " ")
  }

  /// Reads `text`. What it does not know, or what is out of range, it leaves out.
  package init(text: String) {
    self.init()
    for part in text.split(separator: " ") {
      let pair = part.split(separator: "=", omittingEmptySubsequences: false)
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

/// What the settings say of the layout.
package struct LayoutOptions: Hashable, Sendable {
  /// What holds until the user changes it with keys.
  package var shares: PaneShares
  /// The widest line of a message's text, in columns.
  package var textWidth: Int

  /// Wider lines are hard to read.
  package static let standardTextWidth = 72
  package static let textWidths = 20...500

  package init(shares: PaneShares = PaneShares(), textWidth: Int = standardTextWidth) {
    self.shares = shares
    self.textWidth = textWidth
  }
}
