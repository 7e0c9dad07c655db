import Foundation
import Messages
import Screen
import Testing

@testable import Interface
@testable import Words

/// The main screens in every language: columns stay aligned, and nothing is in English.
struct WordsScreensTests {
  private static let sizes = [Size(columns: 80, rows: 24), Size(columns: 40, rows: 10)]

  private static func stage(
    _ tag: String, _ size: Size, store: ModelStore = .sample, scope: InboxQuery.Scope = .all,
    signs: Signs = .unicode
  ) -> Stage {
    let options = InterfaceOptions(words: .named(tag), signs: signs, zone: Stage.utc, animations: false)
    return Stage(store, columns: size.columns, rows: size.rows, scope: scope, options: options)
  }

  /// The sample with a failing source, polls of two days, and coming polls.
  private static func polled(_ tag: String, _ size: Size, _ signs: Signs = .unicode) -> Stage {
    let now = ModelStore.start
    var stage = stage(tag, size, signs: signs)
    let results: [(Double, PollTrigger, PollAttempt.Result)] = [
      (-60, .forced, .new(count: 3, updated: 1)), (-180, .soft, .heldBack(until: now + 60, rule: .grace)),
      (-600, .periodic, .failed(.timedOut(.reading, seconds: 60))), (-80_000, .initial, .nothingNew),
      (-170_000, .periodic, .notModified),
    ]
    let attempts = results.map {
      PollAttempt(source: SourceID(1), trigger: $0.1, start: now + $0.0, end: now + $0.0, result: $0.2)
    }
    stage.outside {
      $0.sources[1].state.failures = 2
      $0.sources[1].state.lastFailure = .refused(host: "team.example", port: 443)
    }
    stage.send(.polling(.changed([SourceID(1): SourcePolling(next: now + 600, rule: .interval)])))
    stage.send(
      .polling(.changed([SourceID(2): SourcePolling(next: now + 90_000, rule: .backoff(failures: 2))])))
    stage.send(.polling(.timelineLoaded(nil, attempts)))
    return stage
  }

  /// The most common screens, by name.
  static func screens(
    _ tag: String, _ size: Size, signs: Signs = .unicode
  ) throws -> [(name: String, stage: Stage)] {
    var screens: [(String, Stage)] = []
    func add(_ name: String, _ start: Stage, _ keys: String..., change: (inout Stage) -> Void = { _ in })
      throws
    {
      var stage = start
      for key in keys { try stage.press(key) }
      change(&stage)
      screens.append((name, stage))
    }
    let sample = polled(tag, size, signs)
    try add("list", sample)
    try add("unread only", sample, "f")
    try add("sources", sample, "h")
    try add("reader", sample, "j", "enter")
    try add("details", sample, "j", "enter", "i", "G")
    try add("polls", sample, "p")
    try add("polls with the keys", sample, "p", "tab", "tab")
    try add("search", sample, "/")
    try add("nothing found", sample, "/") {
      $0.type("zzz")
      $0.send(.input(.key(KeyPress(.enter))))
    }
    try add("address", sample, "a")
    try add("all read", sample, "A")
    try add("undone", sample, "A", "U")
    try add("unknown key", sample, "f7")
    try add("marked", sample, "V", "j", "j")
    try add("not dismissed", sample, "g", "d")
    for page in 0..<8 {
      try add("help \(page)", sample, "?") {
        $0.openSubjects()
        for _ in 0..<page { $0.send(.input(.key(KeyPress(.pageDown)))) }
      }
    }
    try add("commands", sample, ":")
    try add("no such command", sample, ":") {
      $0.type("sort 7")
      $0.send(.input(.key(KeyPress(.enter))))
    }
    try add("found", sample, "j", "enter", "/") {
      $0.type("it")
      $0.send(.input(.key(KeyPress(.enter))))
    }
    try add("links", sample, "j", "L")
    try add("choices", sample, "a") {
      $0.type("a.example")
      $0.send(.input(.key(KeyPress(.enter))))
      $0.send(
        .sources(.addAnswered($0.asked, .choices([FeedChoice(title: "News", url: "https://a.example/news")])))
      )
    }
    try add("failed source", stage(tag, size, scope: .source(SourceID(1)), signs: signs)) {
      $0.outside { store in
        store.messages = []
        store.sources[0].state.failures = 1
        store.sources[0].state.lastFailure = .nameNotFound(host: "a.example")
      }
    }
    try add("no stars", stage(tag, size, store: .long(3), scope: .starred, signs: signs))
    let new = stage(tag, size, store: ModelStore(), signs: signs)
    try add("welcome", new)
    for page in 0..<3 {
      try add("welcome \(page)", new) {
        for _ in 0..<page { $0.send(.input(.key(KeyPress(.down)))) }
        $0.send(.input(.key(KeyPress(.enter))))
      }
    }
    return screens
  }

  @Test(arguments: Words.languages, sizes)
  func everyRowHasItsColumnsAndNoCharacterIsLost(tag: String, size: Size) throws {
    for (name, stage) in try Self.screens(tag, size) {
      let frame = stage.frame
      #expect(frame.size == size)
      for row in 0..<size.rows {
        let cells = Array(frame.row(row))
        #expect(cells.reduce(0) { $0 + Int($1.width) } == size.columns, "\(name), row \(row)")
        for (cell, next) in zip(cells, cells.dropFirst()) where cell.width == 2 {
          #expect(next.isContinuation, "\(name), row \(row)")
        }
      }
      let screen = frame.lines().joined(separator: "\n")
      #expect(
        !screen.contains("\u{FFFD}") && !screen.contains("\u{25CC}") && !screen.contains("{"), "\(name)")
    }
  }

  @Test(arguments: Words.languages.filter { $0 != "en" }, sizes)
  func nothingStaysEnglish(tag: String, size: Size) throws {
    let known = Self.latin(ModelStore.sample)
    var checked: Set<String> = []
    for (name, stage) in try Self.screens(tag, size) {
      for word in stage.screen.matches(of: /[A-Za-z]{3,}/).map({ $0.output.lowercased() })
      where checked.insert(word).inserted {
        #expect(
          known.contains { $0.hasPrefix(word) || $0.hasSuffix(word) }, "\(name): \(word)\n\(stage.screen)")
      }
    }
  }

  /// Latin words that are not translated: content of messages, keys, names of commands, shell commands, addresses, formats.
  private static func latin(_ store: ModelStore) -> Set<String> {
    var texts = store.messages.flatMap {
      [$0.content.title, $0.content.body, $0.content.author ?? "", $0.content.url ?? "", $0.sourceName]
        + $0.content.tags
    }
    texts += store.sources.flatMap { [$0.title ?? "", $0.source.name, $0.source.kind.rawValue] }
    texts += Command.allCases.flatMap { Keymap.standard.keys(of: $0).map(\.name) }
    texts += [
      "reddot push demo status help title shell zzz News", "https://a.example/news",
      "https://www.swift.org/atom.xml",
    ]
    texts += ["reddot run make test", "message", "HTML", "JSON", "OPML", "github"]
    // The names of commands are those of the settings.
    texts += Command.allCases.map(\.rawValue) + ListOrder.allCases.map(\.rawValue)
    return Set(texts.flatMap { $0.lowercased().split { !$0.isLetter }.map(String.init) })
  }

  @Test(arguments: Words.languages, sizes)
  func titlesOfAListBeginInOneColumn(tag: String, size: Size) throws {
    // Read today, this week, this year and long ago.
    let titles = ["Deployment", "Tests done", "What is new", "Older news", "Much older"]
    var columns: [Int] = []
    var stage = Self.polled(tag, size)
    for _ in 0..<2 {
      let frame = stage.frame
      for title in titles { columns += Self.columns(of: title, in: frame) }
      try stage.press("G")
    }
    #expect(columns.count >= titles.count)
    #expect(Set(columns).count == 1, "\(columns)\n\(stage.screen)")
  }

  @Test(arguments: Words.languages, sizes)
  func pollsOfTwoDaysStandBelowEachOther(tag: String, size: Size) throws {
    let words = Words.named(tag)
    var stage = Self.polled(tag, size)
    try stage.press("p")
    var first: Set<Int> = []
    var triggers: Set<Int> = []
    for _ in 0..<8 {
      let frame = stage.frame
      let lines = frame.lines()
      let rule = lines.firstIndex { $0.contains(words(.polls).text) } ?? 0
      for row in rule..<size.rows where lines[row].contains(#/\d\d:\d\d(:\d\d)? +Swift Bl/#) {
        first.formUnion(Self.columns(of: "Swift Bl", in: frame, row: row))
        for trigger in PollTrigger.allCases {
          triggers.formUnion(Self.columns(of: words.name(trigger).text + "  ", in: frame, row: row))
        }
      }
      try stage.press("j")
    }
    #expect(first.count == 1, "\(first)\n\(stage.screen)")
    #expect(triggers.count == (size.columns >= 46 ? 1 : 0), "\(triggers)\n\(stage.screen)")
  }

  @Test(arguments: Words.languages, sizes)
  func theHelpReachesEveryCommand(tag: String, size: Size) throws {
    let words = Words.named(tag)
    var stage = Self.stage(tag, size)
    try stage.press("?")
    stage.openSubjects()
    var columns: Set<Int> = []
    var missing = Set(Command.allCases)
    for number in 0..<240 {
      let frame = stage.frame
      for command in missing {
        let start = words.help(command).wrapped(to: 16)[0].text
        let found = Self.columns(of: start, in: frame)
        if !found.isEmpty { missing.remove(command) }
        columns.formUnion(found)
      }
      // The help is scrolled by lines, and towards the end by pages.
      try stage.press(number < 200 ? "down" : "pgdn")
    }
    #expect(missing.isEmpty)
    // A short text may also be part of a longer one.
    let start = size.columns >= 48 ? 19 : 17
    #expect(columns.contains(start))
    #expect(columns.allSatisfy { $0 >= start }, "\(columns.sorted())")
  }

  @Test(arguments: Words.languages)
  func theBottomLineHoldsItsHints(tag: String) throws {
    let words = Words.named(tag)
    var stage = Self.polled(tag, Size(columns: 80, rows: 24))
    let list: [Command] = [.open, .readOn, .toggleStar, .dismiss, .unreadOnly, .search, .help]
    for command in list { #expect(stage.bottom.contains(words.title(command).text), "\(stage.bottom)") }
    try stage.press("j", "enter")
    let reader: [Command] = [.readOn, .nextUnread, .toggleUnread, .toggleStar, .help]
    for command in reader { #expect(stage.bottom.contains(words.title(command).text), "\(stage.bottom)") }
    stage.resize(40, 10)
    #expect(stage.bottom.contains(words.title(.help).text))
    #expect(stage.bottom.contains(words.title(.readOn).text))
  }

  /// The columns at which a string begins; compared by code points, since marks join with the letter before.
  private static func columns(of text: String, in frame: Frame, row: Int? = nil) -> [Int] {
    let wanted = Array(text.unicodeScalars)
    return (row.map { [$0] } ?? Array(0..<frame.size.rows)).compactMap { row in
      var scalars: [Unicode.Scalar] = []
      var places: [Int] = []
      for (column, cell) in frame.row(row).enumerated() {
        for scalar in cell.scalars {
          scalars.append(scalar)
          places.append(column)
        }
      }
      return scalars.indices.first { scalars[$0...].starts(with: wanted) }.map { places[$0] }
    }
  }
}
