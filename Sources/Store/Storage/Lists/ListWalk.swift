import Messages

/// Several lists that are read as one, in list order. Only messages between two times are included.
struct ListWalk {
  var ranges: [ListRange]
  /// The range of `sortTime`, or `nil` for all times.
  var times: Range<Int64>?

  private static let ranks = Rank.allCases.sorted { $0.rawValue > $1.rawValue }

  /// Returns keys like `ListRange.keys`.
  func keys(
    _ direction: ListPages.Direction, of key: ListKey?, including: Bool, limit: Int
  ) throws -> [ListKey] {
    guard let times else { return try merged(direction, of: key, including: including, limit: limit) }
    var found: [ListKey] = []
    let key = key ?? direction.beginning
    for rank in direction == .older ? Self.ranks : Self.ranks.reversed() {
      let newest = ListKey(rank: rank, sortTime: times.upperBound - 1, id: MessageID(.max))
      let oldest = ListKey(rank: rank, sortTime: times.lowerBound, id: MessageID(.min))
      let (start, end) = direction == .older ? (newest, oldest) : (oldest, newest)
      if direction.isBefore(end, key) { continue }
      let isInside = direction.isBefore(start, key)
      let page = try merged(
        direction, of: isInside ? key : start, including: !isInside || including, limit: limit - found.count)
      found += page.prefix { !direction.isBefore(end, $0) }
      if found.count >= limit { break }
    }
    return found
  }

  private func merged(
    _ direction: ListPages.Direction, of key: ListKey?, including: Bool, limit: Int
  ) throws -> [ListKey] {
    if ranges.count == 1 {
      return try ranges[0].keys(direction, of: key, including: including, limit: limit)
    }
    let keys = try ranges.flatMap { try $0.keys(direction, of: key, including: including, limit: limit) }
    return Array(keys.sorted(by: direction.isBefore).prefix(limit))
  }
}
