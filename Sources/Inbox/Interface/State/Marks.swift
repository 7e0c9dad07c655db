import Messages

/// The messages of a list that the user marked for the next act.
///
/// A part of the list may reach far beyond the loaded rows; it is stored as its two ends.
package struct Marks: Hashable, Sendable {
  /// The messages that were marked individually.
  private(set) var single: [MessageID: ListKey] = [:]
  /// The parts of the list that were marked as a whole.
  private(set) var parts: [ListPart] = []
  /// The messages in marked parts that were unmarked again.
  private var excluded: Set<ListKey> = []
  /// The first message of a range that reaches to the selection, or `nil` if there is none.
  private(set) var anchor: ListKey?

  package var isEmpty: Bool { single.isEmpty && parts.isEmpty && anchor == nil }

  /// Whether the message is marked, apart from the open range.
  func contains(_ key: ListKey) -> Bool {
    single[key.id] != nil || !excluded.contains(key) && parts.contains { $0.contains(key) }
  }

  mutating func toggle(_ key: ListKey) {
    if contains(key) {
      single[key.id] = nil
      if parts.contains(where: { $0.contains(key) }) { excluded.insert(key) }
    } else {
      excluded.remove(key)
      if !parts.contains(where: { $0.contains(key) }) { single[key.id] = key }
    }
  }

  /// Whether the whole list is marked.
  var isAll: Bool {
    excluded.isEmpty && parts.contains { $0.first == nil && $0.last == nil }
  }

  /// Begins a range that reaches from a message to the selection.
  mutating func begin(at key: ListKey) { anchor = key }

  /// Ends the open range: its messages become a marked part of the list.
  mutating func end(_ range: ListPart) {
    anchor = nil
    add(range)
  }

  mutating func add(_ part: ListPart) {
    excluded = excluded.filter { !part.contains($0) }
    parts.append(part)
  }

  mutating func clear() { self = Marks() }

  /// The ids of the messages in marked parts that were unmarked again.
  var except: [MessageID] { excluded.map(\.id).sorted() }
}
