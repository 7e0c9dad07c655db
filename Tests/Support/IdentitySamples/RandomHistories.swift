package import TestBasics

/// Random documents of a few feeds, in which titles, pages, moments, text and ids are often equal in different entries.
package struct RandomHistories {
  /// The entries that a publisher lists, newest first, and the style of the publisher.
  struct Feed {
    var name: String
    var style: Style
    var entries: [IdentityEntry] = []
    /// The entries of each earlier document.
    var former: [[IdentityEntry]] = []
  }

  struct Style {
    enum ID: CaseIterable { case number, page, none, made, constant, place, tag, address }
    enum Day: CaseIterable { case moment, day, midnight, none, update }

    var id: ID
    var day: Day
    var host: String
    var page: String
    /// Whether entries differ as in most feeds: each has its own page and moment.
    var isRegular: Bool
    /// The beginning of all titles, and whether a number follows.
    var title: (text: String, isNumbered: Bool)
    /// The beginning of all text, or `nil` if entries have none.
    var text: (text: String, isNumbered: Bool)?
    /// The number of the next entry.
    var next = 1
  }

  var random: SeededRandom
  var feeds: [Feed] = []
  var clock = SampleClock()

  package init(_ random: SeededRandom) { self.random = random }

  package mutating func history(_ name: String) -> IdentityVector {
    clock = SampleClock()
    feeds = (0..<one(of: [1, 1, 1, 2, 2, 3])).map { number in
      Feed(name: ["a", "b", "c"][number], style: style())
    }
    let count = Int.random(in: 2...6, using: &random)
    return IdentityVector(name: name, steps: (0..<count).map { _ in step() })
  }

  private mutating func style() -> Style {
    let isRegular = chance(2, in: 3)
    return Style(
      id: one(of: Style.ID.allCases), day: one(of: [.moment, .moment, .moment] + Style.Day.allCases),
      host: one(of: Self.hosts), page: isRegular ? one(of: ["/n", "/n.html", "/?id="]) : one(of: Self.pages),
      isRegular: isRegular, title: one(of: [("Part", true), ("Part", true), ("Report", false)]),
      text: one(of: [(Self.long, true), (Self.long, false), ("Words of", true), ("All is well", false), nil]))
  }

  private mutating func step() -> IdentityVector.Step {
    let place = Int.random(in: 0..<feeds.count, using: &random)
    if feeds[place].entries.isEmpty {
      if chance(1, in: 2) { copy(to: place) } else { add(one(of: [1, 1, 2, 3, 4, 5, 6]), to: place) }
    } else {
      for _ in 0..<one(of: [0, 1, 1, 1, 1, 2, 3]) { change(place) }
    }
    let prunes = !feeds[place].former.isEmpty && chance(1, in: 6)
    let step = IdentityVector.Step(
      source: feeds[place].name, now: clock.now, doc: document(feeds[place].entries), prunes: prunes)
    feeds[place].former.append(feeds[place].entries)
    clock.advance(hours: one(of: [3, 3, 3, 24, 24, 40 * 24]))
    return step
  }

  /// Returns the entries that a document has, which are usually all.
  private mutating func document(_ entries: [IdentityEntry]) -> [IdentityEntry] {
    var document = Array(entries.prefix(6))
    switch Int.random(in: 0..<16, using: &random) {
    case 0: document = []
    case 1: document = Array(document.prefix(1))
    case 2: document.reverse()
    case 3: document = Array(document.dropFirst())
    default: break
    }
    // A reader leaves out an entry without content, and uses an id that is an address as the link.
    return document.filter { $0.title != nil || $0.text != nil }.map { entry in
      var entry = entry
      let hasLink = entry.link?.contains { !$0.isWhitespace } ?? false
      if !hasLink, let id = entry.id, id.hasPrefix("http") { entry.link = id }
      return entry
    }
  }

  // MARK: - Entries

  mutating func add(_ count: Int, to place: Int) {
    for _ in 0..<count {
      let entry = entry(feeds[place].style)
      feeds[place].style.next += 1
      feeds[place].entries.insert(entry, at: 0)
    }
    let size = one(of: [1, 2, 3, 6, 6])
    feeds[place].entries = Array(feeds[place].entries.prefix(max(size, count)))
    if feeds[place].style.id == .place {
      for index in feeds[place].entries.indices { feeds[place].entries[index].id = "\(index + 1)" }
    }
  }

  private mutating func entry(_ style: Style) -> IdentityEntry {
    let link = style.id == .made ? nil : link(style)
    var entry = IdentityEntry(link: link, title: one(of: Self.titles), text: one(of: Self.texts))
    if style.isRegular {
      entry.title = style.title.text + (style.title.isNumbered ? " \(style.next)" : "")
      entry.text = style.text.map { $0.text + ($0.isNumbered ? " \(style.next)" : "") }
    }
    switch style.id {
    case .number, .place: entry.id = "\(style.next)"
    case .page: entry.id = link
    case .none, .made: break
    case .constant: entry.id = "same"
    case .tag: entry.id = "tag:a.example,2026:\(style.next)"
    case .address: entry.id = "http://a.example/posts/p-\(style.next)"
    }
    // In a regular feed, few moments are equal.
    let hours = style.isRegular ? style.next - 60 : one(of: [-49, -25, -24, -3, -2, -1, -1])
    switch style.day {
    case .moment: entry.published = clock.time(hours: hours)
    case .day: entry.published = clock.day(hours: hours)
    case .midnight: entry.published = clock.day(hours: hours) + "T00:00:00Z"
    case .none: break
    case .update: entry.updated = clock.time(hours: hours)
    }
    return entry
  }

  private func link(_ style: Style) -> String {
    let page =
      switch style.page {
      case "/n": "/posts/p-\(style.next)"
      case "/n.html": "/posts/p-\(style.next).html"
      case "/?id=": "/?id=\(style.next)"
      case "#": "/changes#v\(style.next)"
      default: style.page
      }
    return style.host + page
  }

  // MARK: - Parts

  private static let long =
    "Words about maps, a long road, ink and paper, two doors, small fires, and winter again, which is longer than a hundred characters"
  static let titles: [String?] = [
    "Report", "Report", "report", "Alpha", "Beta", "\"Alpha\"", "Release 1", "Release 2", nil,
  ]
  static let texts: [String?] = [
    "t", "All is well", "All is well", "Words about maps", nil, nil, long, long + ", and goes on.",
  ]
  static let hosts = [
    "http://a.example", "https://a.example", "https://www.a.example", "https://b.example",
  ]
  static let pages = ["/n", "/n", "/?id=", "#", "", "/", "/status", "/posts/1", "/posts/two.html"]

  mutating func one<Value>(of values: [Value]) -> Value {
    values[Int.random(in: 0..<values.count, using: &random)]
  }

  mutating func chance(_ one: Int, in all: Int) -> Bool { Int.random(in: 0..<all, using: &random) < one }
}
