import GRDB
import Messages

extension MessageSelection {
  /// Its ids, as the lists stand now.
  func ranges(_ db: Database, _ searching: Searching) throws -> IDRanges {
    var found = ids.map(\.rawValue)
    let except = Set(except.map(\.rawValue))
    for part in parts {
      found += try Pages(db, part.query, searching).ids(of: part).filter { !except.contains($0) }
    }
    return IDRanges(sorting: &found)
  }
}

extension Pages {
  /// How many keys of a part are held at once.
  private static let step = 100_000

  /// The ids of a part of the list.
  fileprivate func ids(of part: ListPart) throws -> [Int64] {
    var ids: [Int64] = []
    try forEach(of: part, step: Self.step) { key in
      ids.append(key.id.rawValue)
      return true
    }
    return ids
  }

  /// Calls `body` with the keys of a part of the list, in the list's order, until it returns false: reads what lies in the
  /// part, and nothing else.
  ///
  /// - Parameter step: how many keys are read at once.
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
