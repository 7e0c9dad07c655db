// Changes that publishers make to the entries that they list.
extension RandomHistories {
  mutating func change(_ place: Int) {
    if feeds.count > 1, chance(1, in: 4) { return copy(to: place) }
    switch Int.random(in: 0..<22, using: &random) {
    case 0...4: add(one(of: [1, 1, 2, 3]), to: place)
    case 5...9: edit(place)
    case 10, 11: swap(place)
    case 12: rotateIDs(place)
    case 13...18: move(place)
    case 19: duplicate(place)
    case 20: feeds[place].entries = feeds[place].former.randomElement(using: &random) ?? []
    default: feeds[place].entries.removeAll { _ in Bool.random(using: &random) }
    }
  }

  // MARK: - One entry

  private mutating func edit(_ place: Int) {
    guard let index = feeds[place].entries.indices.randomElement(using: &random) else { return }
    var entry = feeds[place].entries[index]
    switch Int.random(in: 0..<9, using: &random) {
    case 8: entry.text = (entry.text ?? "Words") + ", edited"
    case 0:
      // The entry becomes another alert, or the next run of a job.
      entry.published = clock.time(hours: -1)
      entry.text = "Words of now \(feeds[place].style.next)"
    case 1:
      // The entry is published again.
      if entry.published != nil { entry.published = clock.time(hours: one(of: [-1, 20, 60 * 24])) }
      if entry.updated != nil { entry.updated = clock.time(hours: -1) }
    case 2:
      let link = entry.link
      (entry.title, entry.link) = (entry.title.map { $0 + ", edited" }, link.map { $0 + "-edited" })
      if entry.id == link { entry.id = entry.link }
    case 3:
      // The entry becomes the same report again, or another one of the same minute.
      entry.id = "x-\(feeds[place].style.next)"
      if chance(2, in: 3) { entry.title = one(of: Self.titles) ?? entry.title }
      if chance(1, in: 3) { entry.text = one(of: Self.texts) ?? entry.text }
      if chance(1, in: 3) { entry.link = one(of: Self.hosts) + one(of: Self.pages) }
    default: for _ in 0..<one(of: [1, 1, 1, 2, 2, 3, 4]) { edit(&entry, feeds[place].style) }
    }
    feeds[place].style.next += 1
    feeds[place].entries[index] = entry
  }

  private mutating func edit(_ entry: inout IdentityEntry, _ style: Style) {
    switch Int.random(in: 0..<11, using: &random) {
    case 0, 1: entry.title = one(of: Self.titles)
    case 2, 3: entry.text = one(of: Self.texts)
    case 4: entry.link = chance(1, in: 4) ? nil : one(of: Self.hosts) + one(of: Self.pages)
    case 5:
      entry.id =
        chance(1, in: 3)
        ? nil : one(of: ["1", "2", "3", "same", "x-\(style.next)", "urn:x:2", "https://b.example/posts/two"])
    case 6: (entry.published, entry.updated) = (nil, entry.published ?? entry.updated)
    case 7: (entry.published, entry.updated) = (nil, nil)
    case 8: entry.updated = clock.time(hours: one(of: [-2, -1]))
    case 9: entry.id = entry.id.map { " \($0) " }
    default: entry.published = date()
    }
    entry.sayAnything()
  }

  private mutating func date() -> String {
    let hours = one(of: [-400 * 24, -25, -24, -2, -1, 20, 24, 400 * 24])
    switch Int.random(in: 0..<4, using: &random) {
    case 0: return clock.day(hours: hours)
    case 1: return clock.day(hours: hours) + "T00:00:00Z"
    default: return clock.time(hours: hours)
    }
  }

  private mutating func duplicate(_ place: Int) {
    guard var entry = feeds[place].entries.randomElement(using: &random) else { return }
    if Bool.random(using: &random) { edit(&entry, feeds[place].style) }
    feeds[place].entries.insert(entry, at: Int.random(in: 0...feeds[place].entries.count, using: &random))
  }

  // MARK: - Several

  private mutating func swap(_ place: Int) {
    let count = feeds[place].entries.count
    guard count > 1 else { return }
    let first = Int.random(in: 0..<count, using: &random)
    let second = (first + Int.random(in: 1..<count, using: &random)) % count
    var (a, b) = (feeds[place].entries[first], feeds[place].entries[second])
    switch Int.random(in: 0..<5, using: &random) {
    case 0: (a.title, b.title) = (b.title, a.title)
    case 1: (a.id, b.id) = (b.id, a.id)
    case 2: (a.text, b.text) = (b.text, a.text)
    case 3: (a.published, b.published) = (b.published, a.published)
    default: (a.link, b.link) = (b.link, a.link)
    }
    a.sayAnything()
    b.sayAnything()
    (feeds[place].entries[first], feeds[place].entries[second]) = (a, b)
  }

  private mutating func rotateIDs(_ place: Int) {
    let ids = feeds[place].entries.map(\.id)
    for index in ids.indices { feeds[place].entries[index].id = ids[(index + 1) % ids.count] }
    // Some are then edited too.
    if chance(1, in: 2) { edit(place) }
  }

  /// The changes that a move makes.
  private struct Move {
    enum ID: CaseIterable { case keep, new, link, none, address, same }
    enum Link: CaseIterable { case keep, https, host, ending, token, utm }
    enum Day: CaseIterable { case keep, now, none, later, earlier, year, day }
    enum Words: CaseIterable { case keep, noText, capitals, quotes, other }

    var id: ID
    var link: Link
    var day: Day
    var words: Words
  }

  /// Changes all entries in the same way, like a site that moves.
  private mutating func move(_ place: Int) {
    let feed = feeds[place]
    let move = Move(
      id: chance(1, in: 2) ? .new : one(of: Move.ID.allCases),
      link: chance(1, in: 2) ? .keep : one(of: Move.Link.allCases),
      day: chance(1, in: 2) ? .keep : one(of: Move.Day.allCases),
      words: chance(2, in: 3) ? .keep : one(of: Move.Words.allCases))
    let host = one(of: Self.hosts)
    let token = one(of: ["?token=a\(feed.style.next)", "?t=1764\(feed.former.count)00000"])
    // Some entries stay unchanged, or move too late.
    let isWhole = chance(4, in: 5)
    for index in feed.entries.indices where isWhole || chance(2, in: 3) {
      var entry = feed.entries[index]
      let isPage = entry.id != nil && entry.id == entry.link
      switch move.link {
      case .keep: break
      case .https: entry.link = entry.link.map { Self.replaced("http:", "https:", in: $0) }
      case .host: entry.link = entry.link.map { host + Self.path(of: $0) }
      case .ending:
        entry.link = entry.link.map { $0.hasSuffix(".html") ? String($0.dropLast(5)) : $0 + ".html" }
      case .token: entry.link = entry.link.map { Self.withoutQuery($0) + token }
      case .utm: entry.link = entry.link.map { Self.withoutQuery($0) + "?utm_source=feed" }
      }
      switch move.id {
      case .keep: if isPage { entry.id = entry.link }
      case .new: entry.id = "new-\(feed.former.count)-\(index)"
      case .link: entry.id = entry.link
      case .none: entry.id = nil
      case .address: entry.id = entry.id.map { "https://b.example/" + Self.lastPart(of: $0) }
      case .same: entry.id = "same"
      }
      switch move.day {
      case .keep: break
      case .now: entry.published = clock.time(hours: -1)
      case .none: (entry.published, entry.updated) = (nil, nil)
      case .later: entry.published = entry.published.map { clock.moved($0, hours: 9) }
      case .earlier: entry.published = entry.published.map { clock.moved($0, hours: -9) }
      case .year: entry.published = entry.published.map { clock.moved($0, hours: 31 * 24) }
      case .day: entry.published = entry.published.map { String($0.prefix(10)) }
      }
      switch move.words {
      case .keep: break
      case .noText: entry.text = nil
      case .capitals: entry.title = entry.title?.uppercased()
      case .quotes: entry.title = entry.title.map { "“\($0)”" }
      case .other: entry.text = entry.text.map { $0 + ", rebuilt" }
      }
      entry.sayAnything()
      feeds[place].entries[index] = entry
    }
  }

  /// Adds entries of another feed.
  mutating func copy(to place: Int) {
    guard let other = feeds.indices.filter({ $0 != place }).randomElement(using: &random),
      !feeds[other].entries.isEmpty
    else { return add(one(of: [1, 2, 3]), to: place) }
    for var entry in feeds[other].entries.prefix(one(of: [1, 1, 2, 6])) {
      for _ in 0..<one(of: [0, 1, 1, 2]) { vary(&entry, feeds[place].style) }
      feeds[place].style.next += 1
      feeds[place].entries.insert(entry, at: 0)
    }
  }

  /// Writes a duplicate in another form than its original.
  private mutating func vary(_ entry: inout IdentityEntry, _ style: Style) {
    switch Int.random(in: 0..<10, using: &random) {
    case 0: entry.link = entry.link.map { Self.replaced("http://", "http://www.", in: $0) }
    case 1: entry.link = entry.link.map { Self.withoutQuery($0) + "?utm_source=b" }
    case 2: entry.text = entry.text.map { String($0.prefix(105)) + "…" }
    case 3: (entry.published, entry.updated) = (nil, nil)
    case 4: entry.published = clock.time(hours: -1)
    case 5: entry.id = "b-\(style.next)"
    case 6: entry.title = one(of: Self.titles)
    case 7: entry.text = one(of: Self.texts)
    case 8: entry.link = one(of: ["https://c.example/posts/p-1", nil])
    default: entry.published = entry.published.map { String($0.prefix(10)) }
    }
    entry.sayAnything()
  }

  // MARK: - Links

  private static func path(of link: String) -> String {
    let parts = link.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
    return parts.count > 3 ? "/" + parts[3] : ""
  }

  private static func lastPart(of id: String) -> String {
    id.split(separator: "/").last.map(String.init) ?? id
  }

  private static func withoutQuery(_ link: String) -> String {
    String(link.prefix { $0 != "?" && $0 != "#" })
  }

  private static func replaced(_ old: String, _ new: String, in text: String) -> String {
    text.hasPrefix(old) ? new + text.dropFirst(old.count) : text
  }
}

extension IdentityEntry {
  /// Gives an entry a title if it has neither title nor text, because a reader leaves such an entry out.
  fileprivate mutating func sayAnything() {
    if title == nil, text == nil { title = "Alpha" }
  }
}
