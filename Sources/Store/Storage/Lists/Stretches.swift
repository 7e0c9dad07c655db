import Messages

/// A list that doesn't begin with the newest, as stretches of lists that do: one for each standing, and by source or priority
/// one for each standing and source or priority. A page is read from as many of them as it takes, each from where the page begins; no message
/// outside the page is looked at.
struct Stretches {
  private struct Stretch {
    var standing: Standing
    /// The place of its source, or its priority below zero; 0 where it has all messages.
    var group: Int64
    var pages: Pages
  }

  /// From the list's start to its end.
  private let stretches: [Stretch]
  private let isOldestFirst: Bool
  /// The place of a message's group now; the key may be from before the settings changed.
  private let place: (MessageID) throws -> Int64?

  /// No message's time is farther from 1970.
  private static let farthest: Int64 = 1 << 50
  private static let standings = Standing.allCases.sorted { $0.rawValue > $1.rawValue }

  init(oldestOf pages: Pages) {
    stretches = Self.standings.map { Stretch(standing: $0, group: 0, pages: pages) }
    isOldestFirst = true
    place = { _ in 0 }
  }

  /// - Parameters:
  ///   - groups: in the order of their places.
  ///   - place: of a message's group; nil where it has none any more.
  init(
    _ groups: [(place: Int64, pages: Pages)], place: @escaping (MessageID) throws -> Int64?
  ) {
    stretches = Self.standings.flatMap { standing in
      groups.map { Stretch(standing: standing, group: $0.place, pages: $0.pages) }
    }
    isOldestFirst = false
    self.place = place
  }

  func keys(
    _ direction: Pages.Direction, of key: ListKey?, including: Bool, limit: Int
  ) throws -> [ListKey] {
    var found: [ListKey] = []
    for (stretch, start) in try remaining(direction, of: key) {
      // Stretches of the oldest first are read the other way round.
      let isDown = (direction == .older) != isOldestFirst
      let edge = ListKey(
        standing: stretch.standing, sortTime: isDown ? Self.farthest : -Self.farthest,
        id: MessageID(isDown ? .max : .min))
      func page(_ limit: Int) throws -> [ListKey] {
        try stretch.pages.newestFirst(
          isDown ? .older : .newer, of: start ?? edge, including: start == nil || including, limit: limit)
      }
      // Few sources have anything above the rest: one key tells, and a page of what follows isn't read in vain.
      if isDown, stretch.standing != .normal, try page(1).first?.standing != stretch.standing { continue }
      let keys = try page(limit - found.count)
      for var key in keys.prefix(while: { $0.standing == stretch.standing }) {
        key.group = stretch.group
        found.append(key)
      }
      if found.count >= limit { break }
    }
    return found
  }

  /// The stretches from the key's on, in that direction; in its own the page begins at the key.
  private func remaining(
    _ direction: Pages.Direction, of key: ListKey?
  ) throws -> [(stretch: Stretch, start: ListKey?)] {
    let ordered = direction == .older ? stretches : stretches.reversed()
    guard let key, key != (direction == .older ? .beforeAll : .afterAll) else {
      return ordered.map { ($0, nil) }
    }
    let group = isOldestFirst ? 0 : try place(key.id) ?? key.group
    func isOwn(_ stretch: Stretch) -> Bool { stretch.standing == key.standing && stretch.group == group }
    func isBeyond(_ stretch: Stretch) -> Bool {
      let isBelow =
        stretch.standing == key.standing
        ? stretch.group > group : stretch.standing.rawValue < key.standing.rawValue
      return isOwn(stretch) || isBelow == (direction == .older)
    }
    return ordered.filter(isBeyond).map { ($0, isOwn($0) ? key : nil) }
  }
}
