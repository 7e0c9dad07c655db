import GRDB
import Messages

extension MessageSelection {
  /// Its ids, as the lists stand now.
  func ranges(_ db: Database) throws -> IDRanges {
    var found = ids.map(\.rawValue)
    let except = Set(except.map(\.rawValue))
    for part in parts {
      found += try Pages(db, part.query).ids(of: part).filter { !except.contains($0) }
    }
    return IDRanges(sorting: &found)
  }
}

extension Pages {
  /// How many keys of a part are held at once.
  private static let step = 100_000

  /// The ids of a part of the list: reads what lies in the part, and nothing else.
  fileprivate func ids(of part: ListPart) throws -> [Int64] {
    var ids: [Int64] = []
    var place = part.first
    var isFirst = true
    while ids.count < part.limit ?? .max {
      let length = min(Self.step, part.limit ?? Self.step)
      let keys = try keys(.older, of: place, including: isFirst, limit: length)
      for key in keys {
        if let last = part.last, part.query.isBefore(last, key) { return ids }
        if key.id <= part.newest { ids.append(key.id.rawValue) }
        if ids.count == part.limit { return ids }
      }
      guard keys.count == length else { break }
      (place, isFirst) = (keys.last, false)
    }
    return ids
  }
}
