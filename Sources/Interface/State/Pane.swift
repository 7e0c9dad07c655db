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
