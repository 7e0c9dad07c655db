import Messages

extension MessageList {
  /// The range of marked messages that the user has begun, up to the selection; `nil` if none is open.
  var openRange: ListPart? {
    guard let anchor = marks.anchor, let key = selectedRow?.key else { return nil }
    let (first, last) = query.isBefore(key, anchor) ? (key, anchor) : (anchor, key)
    let end = rows.first { $0.standsFor(last.id) }?.all.last?.key ?? last
    return ListPart(query, first: first, last: end, newest: max(newestDrawn, key.id, anchor.id))
  }

  func isMarked(_ row: MessageRow) -> Bool {
    !marks.isEmpty && (marks.contains(row.key) || openRange?.contains(row.key) == true)
  }

  /// Returns the marked messages: the loaded rows, and a selection of all.
  func marked() -> (rows: [MessageRow], selection: MessageSelection) {
    let parts = marks.parts + (openRange.map { [$0] } ?? [])
    let rows = loaded.filter(isMarked)
    let known = Set(rows.map(\.id))
    let beyond = parts.filter(isBeyondRows)
    let ids = rows.map(\.id) + marks.single.keys.filter { !known.contains($0) }.sorted()
    return (rows, MessageSelection(ids, parts: beyond, except: beyond.isEmpty ? [] : marks.except))
  }

  /// Returns the marked messages for a program or a file.
  func given() -> GivenMessages {
    let (rows, selection) = marked()
    let known = Set(rows.map(\.id))
    let others = marks.single.values.filter { !known.contains($0.id) }
    return GivenMessages(
      (rows.map(\.key) + others).sorted(by: query.isBefore), parts: selection.parts,
      except: Set(selection.except))
  }

  /// Returns the messages in some parts of the list: the loaded rows, and a selection of all.
  func within(_ parts: [ListPart]) -> (rows: [MessageRow], selection: MessageSelection) {
    let rows = loaded.filter { row in parts.contains { $0.contains(row.key) } }
    return (rows, MessageSelection(rows.map(\.id), parts: parts.filter(isBeyondRows)))
  }

  /// Returns the messages of a number of rows from an index on: the loaded rows, and a selection of all.
  func following(_ start: Int, count: Int) -> (rows: [MessageRow], selection: MessageSelection) {
    let found = rows[start...].prefix(count).flatMap(\.all)
    guard rows.count - start < count, hasMoreAfter, let first = found.first else {
      return (found, MessageSelection(found.map(\.id)))
    }
    let part = ListPart(query, first: first.key, limit: count, newest: max(newestDrawn, first.id))
    return (found, MessageSelection(found.map(\.id), parts: [part]))
  }

  /// Whether a part has messages of the list that are not loaded.
  private func isBeyondRows(_ part: ListPart) -> Bool {
    guard let first = loaded.first?.key, let last = loaded.last?.key else {
      return hasMoreBefore || hasMoreAfter
    }
    return hasMoreBefore && part.first.map { query.isBefore($0, first) } != false
      || hasMoreAfter && part.last.map { query.isBefore(last, $0) } != false
  }
}
