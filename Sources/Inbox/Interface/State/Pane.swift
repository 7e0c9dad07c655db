import Words

/// A part of the screen that keys can go to.
package enum Pane: Hashable, Sendable, CaseIterable {
  case sources, messages, reader, timeline

  var place: Places {
    switch self {
    case .sources: .sources
    case .messages: .messages
    case .reader: .reader
    case .timeline: .timeline
    }
  }
}

/// Which pane the keys go to.
package struct Focus: Hashable, Sendable {
  package internal(set) var pane: Pane = .messages
  /// Of sources, messages and reader, the one that has the keys or had them before the timeline.
  var inner: Pane = .messages

  mutating func move(to pane: Pane) {
    self.pane = pane
    if pane != .timeline { inner = pane }
  }
}
