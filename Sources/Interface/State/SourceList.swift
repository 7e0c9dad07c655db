package import Messages
import Screen

/// The left pane: all messages, the starred ones, then each source.
package struct SourceList: Hashable, Sendable {
  package private(set) var statuses: [SourceStatus] = []
  /// The title of each source, safe for the screen.
  private(set) var titles: [SourceID: SafeText] = [:]
  private(set) var widestTitle = 0
  /// The selected line; the list may show another source until it is opened.
  package private(set) var cursor = 0
  private(set) var top = 0

  /// Lines before the first source.
  static let fixed: [InboxQuery.Scope] = [.all, .starred]

  var count: Int { Self.fixed.count + statuses.count }
  var scope: InboxQuery.Scope { scope(at: cursor) ?? .all }

  func scope(at index: Int) -> InboxQuery.Scope? {
    if Self.fixed.indices.contains(index) { return Self.fixed[index] }
    let place = index - Self.fixed.count
    return statuses.indices.contains(place) ? .source(statuses[place].source.id) : nil
  }

  func index(of scope: InboxQuery.Scope) -> Int? {
    switch scope {
    case .all: 0
    case .starred: 1
    case .source(let id):
      statuses.firstIndex { $0.source.id == id }.map { $0 + Self.fixed.count }
    }
  }

  func status(_ id: SourceID) -> SourceStatus? { statuses.first { $0.source.id == id } }

  mutating func take(_ statuses: [SourceStatus], words: Words) {
    guard statuses != self.statuses else { return }
    let scope = scope
    self.statuses = statuses
    name(words)
    cursor = index(of: scope) ?? min(cursor, count - 1)
  }

  /// Names the sources in that language.
  mutating func name(_ words: Words) {
    titles = words.titles(of: statuses)
    widestTitle = titles.values.map(\.columns).max() ?? 0
  }

  mutating func select(_ index: Int) { cursor = min(max(0, index), count - 1) }

  mutating func select(_ scope: InboxQuery.Scope) { cursor = index(of: scope) ?? cursor }

  mutating func scroll(by steps: Int, visible: Int) {
    top = min(max(0, top + steps), max(0, count - visible))
    select(min(max(cursor, top), top + visible - 1))
  }

  mutating func settle(visible: Int) {
    select(cursor)
    top = min(max(0, top), max(0, count - visible))
    top = min(max(top, cursor - visible + 1), cursor)
  }
}
