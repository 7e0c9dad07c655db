import Messages

extension MessageList {
  /// The range that goes as far as the selection.
  var openRange: ListPart? {
    guard let anchor = marks.anchor, let key = selectedRow?.key else { return nil }
    let ends = query.isBefore(key, anchor) ? (key, anchor) : (anchor, key)
    return ListPart(query, first: ends.0, last: ends.1, newest: max(newest, key.id, anchor.id))
  }

  func isMarked(_ row: MessageRow) -> Bool {
    !marks.isEmpty && (marks.contains(row.key) || openRange?.contains(row.key) == true)
  }

  /// What is marked: the rows that are loaded, and a selection that names all.
  func marked() -> (rows: [MessageRow], selection: MessageSelection) {
    let parts = marks.parts + (openRange.map { [$0] } ?? [])
    let rows = rows.filter(isMarked)
    let loaded = Set(rows.map(\.id))
    let beyond = parts.filter(isBeyondRows)
    let ids = rows.map(\.id) + marks.single.keys.filter { !loaded.contains($0) }.sorted()
    return (rows, MessageSelection(ids, parts: beyond, except: beyond.isEmpty ? [] : marks.except))
  }

  func within(_ parts: [ListPart]) -> (rows: [MessageRow], selection: MessageSelection) {
    let rows = rows.filter { row in parts.contains { $0.contains(row.key) } }
    return (rows, MessageSelection(rows.map(\.id), parts: parts.filter(isBeyondRows)))
  }

  /// The rows from an index on.
  func following(_ start: Int, count: Int) -> (rows: [MessageRow], selection: MessageSelection) {
    let found = Array(rows[start...].prefix(count))
    guard found.count < count, hasMoreAfter, let first = found.first else {
      return (found, MessageSelection(found.map(\.id)))
    }
    let part = ListPart(query, first: first.key, limit: count, newest: max(newest, first.id))
    return (found, MessageSelection(found.map(\.id), parts: [part]))
  }

  /// Whether a part has messages of the list that are not loaded.
  private func isBeyondRows(_ part: ListPart) -> Bool {
    guard let first = rows.first?.key, let last = rows.last?.key else { return hasMoreBefore || hasMoreAfter }
    return hasMoreBefore && part.first.map { query.isBefore($0, first) } != false
      || hasMoreAfter && part.last.map { query.isBefore(last, $0) } != false
  }
}
