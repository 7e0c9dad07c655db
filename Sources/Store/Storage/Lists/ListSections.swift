import Messages

/// A list in another order than the newest messages first. It is read as sections of which each is stored
/// with its newest messages first: one for each rank, and in a list sorted by source or priority, one for
/// each rank and source or priority. A page is read from as many sections as needed, starting in each where
/// the page begins. No message outside the page is read.
struct ListSections {
  private struct Section {
    var rank: Rank
    /// The position of the section's source, or its negative priority, or 0 if there is one section for each
    /// rank.
    var group: Int64
    var pages: ListPages
  }

  /// The sections from the list's start to its end.
  private let sections: [Section]
  private let isOldestFirst: Bool
  /// Returns the current position of a message's group. The group in a message's key may be from before the
  /// settings changed.
  private let place: (MessageID) throws -> Int64?

  /// The limit of times: no message's time is farther from 1970.
  private static let farthest: Int64 = 1 << 50
  private static let ranks = Rank.allCases.sorted { $0.rawValue > $1.rawValue }

  init(oldestOf pages: ListPages) {
    sections = Self.ranks.map { Section(rank: $0, group: 0, pages: pages) }
    isOldestFirst = true
    place = { _ in 0 }
  }

  /// Creates the sections of a list sorted by source or priority: one for each rank and group.
  ///
  /// - Parameters:
  ///   - groups: the sources or priorities in the list's order, each with its position and its messages.
  ///   - place: returns the position of a message's group, or `nil` if it no longer has one.
  init(
    _ groups: [(place: Int64, pages: ListPages)], place: @escaping (MessageID) throws -> Int64?
  ) {
    sections = Self.ranks.flatMap { rank in
      groups.map { Section(rank: rank, group: $0.place, pages: $0.pages) }
    }
    isOldestFirst = false
    self.place = place
  }

  func keys(
    _ direction: ListPages.Direction, of key: ListKey?, including: Bool, limit: Int
  ) throws -> [ListKey] {
    var found: [ListKey] = []
    for (section, start) in try remaining(direction, of: key) {
      // Sections with the oldest first are read in the opposite direction.
      let isDown = (direction == .older) != isOldestFirst
      let edge = ListKey(
        rank: section.rank, sortTime: isDown ? Self.farthest : -Self.farthest,
        id: MessageID(isDown ? .max : .min))
      func page(_ limit: Int) throws -> [ListKey] {
        try section.pages.newestFirst(
          isDown ? .older : .newer, of: start ?? edge, including: start == nil || including, limit: limit)
      }
      // Few sources have messages of a higher rank: reading one key shows this, and avoids reading a page of the rest
      // in vain.
      if isDown, section.rank != .normal, try page(1).first?.rank != section.rank { continue }
      let keys = try page(limit - found.count)
      for var key in keys.prefix(while: { $0.rank == section.rank }) {
        key.group = section.group
        found.append(key)
      }
      if found.count >= limit { break }
    }
    return found
  }

  /// Returns the sections from that of the key on, in this direction; in the first of them the page begins at the key.
  private func remaining(
    _ direction: ListPages.Direction, of key: ListKey?
  ) throws -> [(section: Section, start: ListKey?)] {
    let ordered = direction == .older ? sections : sections.reversed()
    guard let key, key != (direction == .older ? .beforeAll : .afterAll) else {
      return ordered.map { ($0, nil) }
    }
    let group = isOldestFirst ? 0 : try place(key.id) ?? key.group
    func isOwn(_ section: Section) -> Bool { section.rank == key.rank && section.group == group }
    func isBeyond(_ section: Section) -> Bool {
      let isBelow =
        section.rank == key.rank
        ? section.group > group : section.rank.rawValue < key.rank.rawValue
      return isOwn(section) || isBelow == (direction == .older)
    }
    return ordered.filter(isBeyond).map { ($0, isOwn($0) ? key : nil) }
  }
}
