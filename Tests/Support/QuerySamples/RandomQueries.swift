package import Basics
package import Foundation
import Messages
package import Queries
package import TestBasics

/// Splits text as the index does: sequences of letters, digits and marks, without case and accents.
package struct PlainTokenizer: QueryTokenizer {
  package init() {}

  package func tokens(of text: String) -> QueryTokens { QueryTokens(Self.words(of: text)) }

  package static func words(of text: String) -> [String] {
    SearchText.indexed(text).unicodeScalars.split { !SearchText.isPartOfWord($0) }.map {
      String(String.UnicodeScalarView($0)).lowercased()
    }
  }
}

/// Queries and messages with few words and values, so that they often match.
package struct RandomQueries {
  package var random: SeededRandom

  package init(seed: Int) { random = SeededRandom(seed: seed) }

  package static let words = [
    "a", "ab", "Swift", "swift6", "café", "cafe\u{301}", "CAFÉ", "東京", "東", "京都市", "re-build", "c++", "हिन्दी",
    "x\0y",
    "don't", "OR", "not", "a*b", "12:30", "-v", "/usr/bin", "title:a", "say \"hi\"", "back\\slash", "a,b",
    "(a)",
    "ﬁn", "ß", "İ", "🎉a", "ＡＢ", "priority>4",
  ]
  package static let names = [
    "ci", "CI", "Build server", "build*", "dev/Swift", "dev", "a,b", "\"q\"", "ünï", "u\u{308}", "en",
    "en-GB", "/etc",
    "back\\", "東京", "",
  ]
  package static let patterns = [
    "a", "^a", "b$", "a.c", "(ab|sw)+", "[a-c]f", "caf.", "x{2,3}", "/", "\\.", "^$", "東.", "É",
  ]
  package static let links = [
    "https://example.org/a", "http://news.Example.org:8080/b?q=/é", "mailto:a@b.c", "https://u@x.net",
    "https://[::1]/x",
    "file:///tmp/x.pdf", "no address",
  ]
  package static let sites = [
    "example.org", "*.example.org", "org", "news.*", "x.net", "[::1]", "a", "ex*org",
  ]
  package static let ids = ["1", "2", "01", "a,b", "é", "e\u{301}", "https://example.org/1"]

  package mutating func one<Value>(of values: [Value]) -> Value {
    values[Int.random(in: 0..<values.count, using: &random)]
  }

  package mutating func chance(_ one: Int, in all: Int) -> Bool {
    Int.random(in: 0..<all, using: &random) < one
  }

  package mutating func some<Value>(_ make: (inout RandomQueries) -> Value) -> [Value] {
    (0..<(chance(3, in: 4) ? 1 : 3)).map { _ in make(&self) }
  }

  // MARK: - Queries

  package mutating func query(depth: Int = 4) -> Query {
    if depth == 0 || chance(1, in: 3) { return .test(test()) }
    if chance(1, in: 4) { return .not(query(depth: depth - 1)) }
    let members = (0..<Int.random(in: 2...4, using: &random)).map { _ in query(depth: depth - 1) }
    return chance(1, in: 2) ? .all(of: members) : .any(of: members)
  }

  package mutating func pattern() -> RegularExpression {
    guard let pattern = try? RegularExpression(one(of: Self.patterns), isCaseSensitive: chance(1, in: 2))
    else {
      fatalError("a pattern of the tests is refused")
    }
    return pattern
  }

  package mutating func term() -> Query.TextTerm {
    if chance(1, in: 6) { return .pattern(pattern()) }
    let words = (0..<(chance(3, in: 4) ? 1 : 2)).map { _ in one(of: Self.words) }.joined(separator: " ")
    return .words(Query.ExactText(words), isPrefix: chance(1, in: 4))
  }

  package mutating func name(_ values: [String]) -> Query.NamePattern {
    if chance(1, in: 8) { return .pattern(pattern()) }
    let value = one(of: values)
    switch Int.random(in: 0..<4, using: &random) {
    case 0: return .glob(Glob(value))
    case 1: return .glob(Glob(pieces: [String(value.prefix(1)), ""]))
    case 2: return .glob(Glob(pieces: ["", String(value.suffix(2))]))
    case _: return .glob(Glob(pieces: [value]))
    }
  }

  package mutating func point() -> Query.DatePoint {
    let date = CivilDate(dayNumber: 20_000 + Int.random(in: -3...400, using: &random))
    switch Int.random(in: 0..<6, using: &random) {
    case 0: return .year(date.year)
    case 1: return .month(date.year, date.month)
    case 2: return .minute(date, Int.random(in: 0..<1440, using: &random))
    case 3: return .today
    case 4: return .yesterday
    case _: return .day(date)
    }
  }

  package mutating func span() -> Query.TimeSpan {
    Query.TimeSpan(Int.random(in: 0...40, using: &random), one(of: Query.TimeSpan.Unit.allCases))
  }

  package mutating func test() -> Query.Test {
    switch Int.random(in: 0..<20, using: &random) {
    case 0...4: return .text(term())
    case 5, 6: return .inText(one(of: Query.TextField.allCases), some { $0.term() })
    case 7...9:
      let field = one(of: Query.NameField.allCases)
      let names =
        field == .site ? Self.sites : field == .kind ? MessageKind.allCases.map(\.rawValue) : Self.names
      return .name(field, some { $0.name(names) })
    case 10: return .from(some { $0.term() })
    case 11: return .priority(some { Int.random(in: 1...5, using: &$0.random) })
    case 12: return .compared(one(of: Query.Comparison.allCases), Int.random(in: 1...5, using: &random))
    case 13: return .state(some { $0.one(of: Query.State.allCases) })
    case 14: return .has(some { $0.one(of: Query.Part.allCases) })
    case 15: return chance(1, in: 2) ? .before(some { $0.point() }) : .after(some { $0.point() })
    case 16:
      return .date(
        some {
          .init(from: $0.chance(1, in: 3) ? nil : $0.point(), to: $0.chance(1, in: 3) ? nil : $0.point())
        })
    case 17: return chance(1, in: 2) ? .older(some { $0.span() }) : .newer(some { $0.span() })
    case 18:
      let part = Query.ExactText(one(of: ["EXAMPLE", "/", "é", ".pdf", "a,b", " ", "*"]))
      return .address(some { $0.chance(1, in: 3) ? .pattern($0.pattern()) : .contains(part) })
    case _: return chance(1, in: 4) ? .everywhere : .id(some { Query.ExactText($0.one(of: Self.ids)) })
    }
  }

  // MARK: - Messages

  package mutating func text() -> String {
    if chance(1, in: 150) {
      return String(repeating: one(of: Self.words) + " ", count: 4000) + one(of: Self.words)
    }
    let separators = [" ", " ", "\n", "-", ""]
    return (0..<Int.random(in: 0...6, using: &random)).map { _ in one(of: Self.words) + one(of: separators) }
      .joined()
  }

  package mutating func facts(_ zone: ZoneClock) -> Facts {
    var facts = Facts(title: text(), body: text(), priority: Priority(Int.random(in: 1...5, using: &random)))
    if chance(3, in: 4) { facts.id = MessageID(Int64.random(in: 1...3, using: &random)) }
    if chance(3, in: 4) { facts.remoteID = RemoteID(one(of: Self.ids)) }
    if chance(3, in: 4) { facts.author = text() }
    if chance(3, in: 4) { facts.sourceNames = some { $0.one(of: Self.names) } }
    if chance(1, in: 2) { facts.folder = one(of: Self.names) }
    if chance(1, in: 2) { facts.tags = some { $0.one(of: Self.names) } }
    if chance(1, in: 2) { facts.kinds = some { $0.one(of: Self.names) } }
    if chance(1, in: 2) { facts.language = one(of: Self.names) }
    if chance(1, in: 2) { facts.channel = one(of: Self.names) }
    if chance(3, in: 4) { facts.link = one(of: Self.links) }
    if chance(1, in: 2) { facts.rules = some { $0.one(of: Self.names) } }
    facts.states = Facts.States(rawValue: UInt16.random(in: 0..<1024, using: &random))
    facts.parts = Facts.Parts(rawValue: UInt8.random(in: 0..<64, using: &random))
    if chance(9, in: 10) { facts.time = instant(zone) }
    return facts
  }

  /// Returns an instant, often at the start or end of a day or of a minute.
  package mutating func instant(_ zone: ZoneClock) -> Date {
    let day = 20_000 + Int.random(in: -3...400, using: &random)
    let hour = one(of: [0, 0, 0, 1, 2, 3, 12, 23])
    let second = hour * 3600 + one(of: [0, 0, 1, 1799, 1800, 3599])
    let start = zone.seconds(of: WallTime(dayNumber: day, second: second))
    return Date(timeIntervalSince1970: Double(start) + one(of: [0, 0, -0.001, 0.001, 3600]))
  }

  /// The zones: with and without summer time, with a midnight that does not exist and one that occurs twice.
  package static let zones = [
    "UTC", "Europe/Berlin", "America/New_York", "Asia/Kathmandu", "Australia/Lord_Howe", "Asia/Beirut",
    "Atlantic/Azores", "America/Havana",
  ].compactMap { ZoneClock(named: $0) }
}

extension Query {
  /// Returns the smallest query made of parts of this one for which the claim still fails.
  package func shrunk(_ fails: (Query) throws -> Bool) rethrows -> Query {
    var smallest = self
    while let next = try smallest.smaller.first(where: fails) { smallest = next }
    return smallest
  }

  private var smaller: [Query] {
    switch self {
    case .and(let members):
      return members + members.indices.map { Self.all(of: Self.without($0, members)) }
        + Self.replaced(members).map { Self.all(of: $0) }
    case .or(let members):
      return members + members.indices.map { Self.any(of: Self.without($0, members)) }
        + Self.replaced(members).map { Self.any(of: $0) }
    case .not(let inner): return [inner] + inner.smaller.map { .not($0) }
    case .test(let test): return Self.smaller(test).map { .test($0) }
    }
  }

  private static func replaced(_ members: [Query]) -> [[Query]] {
    members.indices.flatMap { index in
      members[index].smaller.map { small in
        var members = members
        members[index] = small
        return members
      }
    }
  }

  private static func smaller(_ test: Test) -> [Test] {
    func fewer<Value>(_ values: [Value], _ make: ([Value]) -> Test) -> [Test] {
      values.count < 2 ? [] : values.indices.map { make(without($0, values)) }
    }
    switch test {
    case .inText(let field, let terms): return fewer(terms) { .inText(field, $0) }
    case .name(let field, let names): return fewer(names) { .name(field, $0) }
    case .from(let terms): return fewer(terms) { .from($0) }
    case .priority(let levels): return fewer(levels) { .priority($0) }
    case .state(let states): return fewer(states) { .state($0) }
    case .has(let parts): return fewer(parts) { .has($0) }
    case .before(let points): return fewer(points) { .before($0) }
    case .after(let points): return fewer(points) { .after($0) }
    case .date(let ranges): return fewer(ranges) { .date($0) }
    case .older(let spans): return fewer(spans) { .older($0) }
    case .newer(let spans): return fewer(spans) { .newer($0) }
    case .address(let terms): return fewer(terms) { .address($0) }
    case .id(let ids): return fewer(ids) { .id($0) }
    case .text, .compared, .everywhere: return []
    }
  }

  private static func without<Value>(_ index: Int, _ values: [Value]) -> [Value] {
    Array(values[..<index] + values[(index + 1)...])
  }
}
