import GRDB
import Messages

extension MessageSelection {
  /// Returns the ids of all selected messages, including those in the selected parts of lists as they are
  /// now.
  func ranges(_ db: Database, _ searching: Searching) throws -> IDRanges {
    var found = ids.map(\.rawValue)
    let except = Set(except.map(\.rawValue))
    for part in parts {
      found += try ListPages(db, part.query, searching).ids(of: part).filter { !except.contains($0) }
    }
    return IDRanges(sorting: &found)
  }
}

extension ListPages {
  /// The number of keys of a part that are in memory at a time.
  private static let step = 100_000

  fileprivate func ids(of part: ListPart) throws -> [Int64] {
    var ids: [Int64] = []
    try forEach(of: part, step: Self.step) { key in
      ids.append(key.id.rawValue)
      return true
    }
    return ids
  }

  /// Calls `body` with the keys of a part of the list, in the list's order, until it returns `false`. It reads only the
  /// part.
  ///
  /// - Parameter step: the number of keys read at a time.
  func forEach(of part: ListPart, step: Int, _ body: (ListKey) -> Bool) throws {
    var place = part.first
    var isFirst = true
    var left = part.limit ?? .max
    while left > 0 {
      let length = min(step, left)
      let keys = try keys(.older, of: place, including: isFirst, limit: length)
      for key in keys {
        if let last = part.last, part.query.isBefore(last, key) { return }
        guard key.id <= part.newest else { continue }
        left -= 1
        guard body(key), left > 0 else { return }
      }
      guard keys.count == length else { return }
      (place, isFirst) = (keys.last, false)
    }
  }
}
