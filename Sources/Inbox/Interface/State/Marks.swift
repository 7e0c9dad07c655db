import Messages

/// The messages of a list that the user marked for the next act.
///
/// A part of the list may reach far beyond what is loaded; it is kept as its two ends.
package struct Marks: Hashable, Sendable {
  /// Marked one by one.
  private(set) var single: [MessageID: ListKey] = [:]
  private(set) var parts: [ListPart] = []
  /// Taken out of a part again.
  private var excluded: Set<ListKey> = []
  /// The first message of a range that goes as far as the selection; nil where there is none.
  private(set) var anchor: ListKey?

  package var isEmpty: Bool { single.isEmpty && parts.isEmpty && anchor == nil }

  /// Whether the message is marked, the open range aside.
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

  /// Whether all of the list is marked.
  var isAll: Bool {
    excluded.isEmpty && parts.contains { $0.first == nil && $0.last == nil }
  }

  mutating func begin(at key: ListKey) { anchor = key }

  /// The open range is a part from now on.
  mutating func end(_ range: ListPart) {
    anchor = nil
    add(range)
  }

  mutating func add(_ part: ListPart) {
    excluded = excluded.filter { !part.contains($0) }
    parts.append(part)
  }

  mutating func clear() { self = Marks() }

  /// What is excluded from the parts.
  var except: [MessageID] { excluded.map(\.id).sorted() }
}
