import GRDB
import Messages
import Queries

/// Finds the few messages that may match a query, through the index with the fewest matches.
///
/// It returns a superset of the matches; `QueryMatcher` decides on each of them.
struct CandidateFinder {
  let db: Database
  let tokenizer: any QueryTokenizer
  let reader: FactsReader
  /// Whether the facets of every message are stored.
  let hasFacets: Bool
  /// Whether every message is in the text index.
  let hasTexts: Bool
  let now: Milliseconds
  /// The number of candidates up to which all are examined.
  let few: Int
  /// The known completions, shared by searching candidates and walking: each look-up in the vocabulary costs as much as
  /// many messages.
  private let known = Completions()

  private final class Completions {
    var words: [String: [String]?] = [:]
  }

  /// The number of completions of an unfinished word that are looked up one by one.
  private static let mostCompletions = 64
  /// The number of names that are compared with a pattern.
  private static let mostNames = 5000
  /// The maximum depth of an expression for the index: its parser rejects more than some hundred levels.
  private static let mostDepth = 12

  /// Returns all messages that may match, or `nil` if there are more than `few`, or no index can find them.
  ///
  /// - Parameter query: a query in negation normal form.
  func candidates(_ query: Query) throws -> Set<Int64>? {
    switch query {
    case .and(let members):
      var best: Set<Int64>?
      func narrow(to found: Set<Int64>) { best = best?.intersection(found) ?? found }
      if let expression = try text(of: members), let found = try ids(matching: expression) {
        narrow(to: found)
      }
      for member in members {
        // With this few candidates, searching further gains nothing.
        if let best, best.count <= 20 { break }
        if let found = try candidates(member) { narrow(to: found) }
      }
      return best
    case .or(let members):
      var all: Set<Int64> = []
      for member in members {
        guard let found = try candidates(member) else { return nil }
        all.formUnion(found)
        if all.count > few { return nil }
      }
      return all
    case .not: return nil
    case .test(let test): return try candidates(test)
    }
  }

  private func candidates(_ test: Query.Test) throws -> Set<Int64>? {
    switch test {
    case .text, .inText: return try expression(.test(test)).flatMap(ids(matching:))
    case .from(let terms):
      let sites = try facets(.site, terms.map(\.site))
      guard let sites, let author = try expression(.test(.inText(.author, terms))) else { return nil }
      guard let found = try ids(matching: author), let linked = try ids(having: sites) else { return nil }
      return found.union(linked)
    case .state(let states): return try union(states.map(ids(in:)))
    case .id(let names): return try ids(named: names.map(\.text))
    case .name(.rule, let patterns): return try ids(touchedBy: patterns)
    case .name, .has, .priority, .compared: return try facets(test).flatMap(ids(having:))
    case .before, .after, .date, .older, .newer, .address, .everywhere: return nil
    }
  }

  /// Returns the union of the sets, or `nil` if one is unknown or there are too many ids.
  private func union(_ sets: [Set<Int64>?]) -> Set<Int64>? {
    let found = sets.compactMap(\.self)
    let all = found.reduce(into: Set<Int64>()) { $0.formUnion($1) }
    return found.count < sets.count || all.count > few ? nil : all
  }

  /// Returns the ids that a query finds, or `nil` if they are more than `few`.
  ///
  /// - Parameter query: a query that returns ids and has no unbound parameters.
  private func atMostFew(_ query: Prepared, limit: Int32) throws -> Set<Int64>? {
    query.bind(limit, few + 1)
    var ids: Set<Int64> = []
    try query.forEach { ids.insert(query.int(0)) }
    return ids.count > few ? nil : ids
  }

  // MARK: - The text index

  /// Returns an expression that is true for the same messages as all the conditions that the text index supports.
  func text(of conjuncts: [Query]) throws -> String? {
    let known = try conjuncts.compactMap { try expression($0) }
    return known.isEmpty ? nil : known.joined(separator: " AND ")
  }

  func ids(matching expression: String) throws -> Set<Int64>? {
    let query = try db.prepared("SELECT rowid FROM search WHERE search MATCH ?1 LIMIT ?2")
    try query.bind(1, expression)
    return try atMostFew(query, limit: 2)
  }

  /// Returns the query for the text index, or `nil` if the index can't answer it, or not in bounded time.
  private func expression(_ query: Query, depth: Int = 0) throws -> String? {
    if !hasTexts || depth > Self.mostDepth { return nil }
    switch query {
    case .and(let members), .or(let members):
      guard !members.isEmpty else { return nil }
      var parts: [String] = []
      for member in members {
        guard let part = try expression(member, depth: depth + 1) else { return nil }
        parts.append(part)
      }
      if case .and = query { return "(\(parts.joined(separator: " AND ")))" }
      return "(\(parts.joined(separator: " OR ")))"
    case .not: return nil
    case .test(.text(let term)): return try phrase(term)
    case .test(.inText(let field, let terms)):
      var phrases: [String] = []
      for term in terms {
        guard let phrase = try phrase(term) else { return nil }
        phrases.append(phrase)
      }
      return "({\(field.rawValue)} : (\(phrases.joined(separator: " OR "))))"
    case .test: return nil
    }
  }

  /// Returns the expression for the words of a term in their order, or `nil` if the index can't answer it.
  private func phrase(_ term: Query.TextTerm) throws -> String? {
    guard case .words(let exact, let isPrefix) = term else { return nil }
    var words = tokenizer.tokens(of: exact.text).words
    // Without a word nothing matches, but the index would not return that.
    guard let last = words.last else { return nil }
    // The words are tokenized again: either the tokenizer does not change its own words, or the text itself must be
    // searched.
    guard tokenizer.tokens(of: words.joined(separator: " ")).words == words else { return nil }
    guard isPrefix else { return Self.quoted(words) }
    guard let ends = try completions(of: last) else { return nil }
    if ends.isEmpty { return Self.quoted(words) }
    words.removeLast()
    return "(\(ends.map { Self.quoted(words + [$0]) }.joined(separator: " OR ")))"
  }

  /// Returns words in quotes, as a phrase for the index. The words contain neither quotes nor NUL, since both
  /// end a word.
  private static func quoted(_ words: [String]) -> String { "\"\(words.joined(separator: " "))\"" }

  /// Returns the words of the index that begin with a stem, or `nil` if there are too many.
  ///
  /// FTS5 collects everything that a prefix matches before it returns the first row, but reads single words only as far
  /// as needed. So this skips through the vocabulary, one word at a time.
  private func completions(of stem: String) throws -> [String]? {
    if let words = known.words[stem] { return words }
    let words = try findCompletions(of: stem)
    known.words[stem] = .some(words)
    return words
  }

  private func findCompletions(of stem: String) throws -> [String]? {
    let query = try db.prepared("SELECT term FROM search_terms WHERE term >= ? LIMIT 1")
    var words: [String] = []
    var from = stem
    while words.count <= Self.mostCompletions {
      try query.bind(1, from)
      guard let word = try query.first({ query.text(0) }), word.utf8.starts(with: stem.utf8) else {
        return words
      }
      words.append(word)
      from = word + "\u{1}"
    }
    return nil
  }

  // MARK: - Facets

  /// Returns the ids of facets of which every matching message has at least one, or `nil` if they aren't known.
  func facets(_ test: Query.Test) throws -> [Int64]? {
    switch test {
    case .name(.tag, let patterns): return try facets(.tag, patterns)
    case .name(.lang, let patterns): return try facets(.lang, patterns)
    case .name(.channel, let patterns): return try facets(.channel, patterns)
    case .name(.site, let patterns): return try facets(.site, patterns)
    case .name(.kind, let patterns):
      // A source's own kind may also match, and is not a facet.
      guard try reader.sources(where: test)?.isEmpty == true else { return nil }
      return try facets(.kind, patterns)
    case .has(let parts):
      guard parts.allSatisfy(Facet.parts.contains) else { return nil }
      return try facets(.has, parts.map { .glob(Glob(pieces: [$0.rawValue])) })
    case .priority, .compared:
      guard let levels = test.priorities, !levels.contains(Priority.normal.rawValue) else { return nil }
      return try facets(.priority, levels.map { .glob(Glob(pieces: ["\($0)"])) })
    case .text, .inText, .name, .from, .state, .before, .after, .date, .older, .newer, .address, .id,
      .everywhere:
      return nil
    }
  }

  private func facets(_ field: Facet.Field, _ patterns: [Query.NamePattern]) throws -> [Int64]? {
    guard hasFacets else { return nil }
    var all: Set<Int64> = []
    for pattern in patterns {
      guard let found = try facets(field, pattern) else { return nil }
      all.formUnion(found)
    }
    return all.sorted()
  }

  private func facets(_ field: Facet.Field, _ pattern: Query.NamePattern) throws -> [Int64]? {
    var beginning = ""
    if case .glob(let glob) = pattern {
      if let literal = glob.literal {
        beginning = Facet.folded(literal, field)
      } else if field != .site {
        beginning = Query.folded(glob.pieces[0].text)
      }
    }
    let query = try db.prepared(
      "SELECT id, folded, name FROM facet_name WHERE field = ?1 AND folded >= ?2 ORDER BY folded LIMIT ?3")
    query.bind(1, field.rawValue)
    try query.bind(2, beginning)
    query.bind(3, Self.mostNames + 1)
    let nameField: Query.NameField? =
      switch field {
      case .tag: .tag
      case .kind: .kind
      case .lang: .lang
      case .site: .site
      case .channel: .channel
      case .priority, .has: nil
      }
    var found: [Int64] = []
    var count = 0
    defer { query.reset() }
    while try query.step() {
      guard query.text(1).utf8.starts(with: beginning.utf8) else { return found }
      count += 1
      if count > Self.mostNames { return nil }
      if pattern.matches(query.text(2), nameField ?? .tag) { found.append(query.int(0)) }
    }
    return found
  }

  private func ids(having facets: [Int64]) throws -> Set<Int64>? {
    let query = try db.prepared("SELECT message_id FROM facet WHERE facet = ?1 LIMIT ?2")
    var all: Set<Int64> = []
    for facet in facets {
      query.bind(1, facet)
      guard let found = try atMostFew(query, limit: 2) else { return nil }
      all.formUnion(found)
      if all.count > few { return nil }
    }
    return all
  }

  // MARK: - Marks, ids and rules

  private func ids(in state: Query.State) throws -> Set<Int64>? {
    let sql: String
    switch state {
    case .dismissed: sql = "SELECT message_id FROM status WHERE dismissed_at IS NOT NULL LIMIT ?1"
    case .snoozed: sql = "SELECT message_id FROM status WHERE snoozed_until IS NOT NULL LIMIT ?1"
    case .hidden: sql = "SELECT message_id FROM status WHERE hidden_by IS NOT NULL LIMIT ?1"
    case .expired: sql = "SELECT message_id FROM status WHERE expires <= \(now) LIMIT ?1"
    case .new: sql = "SELECT message_id FROM status WHERE is_unseen AND NOT is_read LIMIT ?1"
    case .done: sql = "\(Endings.ended) LIMIT ?1"
    case .waiting: sql = "SELECT message_id FROM question WHERE ended IS NULL LIMIT ?1"
    case .unread, .read, .starred, .pinned: return nil
    }
    return try atMostFew(db.prepared(sql), limit: 1)
  }

  private func ids(named names: [String]) throws -> Set<Int64>? {
    let query = try db.prepared(
      """
      SELECT i.message_id FROM source s CROSS JOIN identity i ON i.source_id = s.id AND i.remote_id = ?1
      WHERE i.message_id <> 0 LIMIT ?2
      """)
    var all: Set<Int64> = []
    for name in names {
      if let number = Int64(name) { all.insert(number) }
      try query.bind(1, name)
      guard let found = try atMostFew(query, limit: 2) else { return nil }
      all.formUnion(found)
    }
    return all.count > few ? nil : all
  }

  private func ids(touchedBy patterns: [Query.NamePattern]) throws -> Set<Int64>? {
    let next = try db.prepared("SELECT min(rule) FROM touched WHERE rule > ?")
    let touched = try db.prepared("SELECT message_id FROM touched WHERE rule = ?1 LIMIT ?2")
    var all: Set<Int64> = []
    var rule: String? = try first(db.prepared("SELECT min(rule) FROM touched"))
    while let name = rule {
      if patterns.contains(where: { $0.matches(name, .rule) }) {
        try touched.bind(1, name)
        guard let found = try atMostFew(touched, limit: 2) else { return nil }
        all.formUnion(found)
        if all.count > few { return nil }
      }
      try next.bind(1, name)
      rule = try first(next)
    }
    return all
  }

  private func first(_ query: Prepared) throws -> String? {
    try query.first { query.optionalText(0) } ?? nil
  }
}
