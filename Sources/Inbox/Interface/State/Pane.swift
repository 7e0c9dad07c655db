import Words

/// A part of the screen that can have the focus.
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

/// The pane that has the focus.
package struct Focus: Hashable, Sendable {
  package internal(set) var pane: Pane = .messages
  /// The one among sources, messages and reader that has the focus, or had it before the timeline.
  var inner: Pane = .messages

  mutating func move(to pane: Pane) {
    self.pane = pane
    if pane != .timeline { inner = pane }
  }
}
