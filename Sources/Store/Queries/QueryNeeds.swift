import Messages

/// The properties that a message must have so that a query can match it. They are tested first: that takes
/// only a few comparisons, and shows for nearly all messages that many queries cannot match.
///
/// A message that the query matches always has them. A message that has them need not match.
struct QueryNeeds {
  struct Fields: OptionSet {
    let rawValue: UInt8

    static let title = Fields(rawValue: 1)
    static let body = Fields(rawValue: 2)
    static let author = Fields(rawValue: 4)

    init(rawValue: UInt8) { self.rawValue = rawValue }

    init(_ field: Query.TextField) {
      switch field {
      case .title: self = .title
      case .body: self = .body
      case .author: self = .author
      }
    }
  }

  /// A property that a message must have: a word in a field, a priority, a tag or an author.
  private enum Need {
    case word(QueryTokens.Trace, Fields)
    case priorities(UInt8)
    case tags
    case author
  }

  /// Groups of needs. A message must meet at least one need of each group.
  private var groups: [[Need]] = []

  init(_ step: QueryStep) {
    groups = Self.groups(of: step)
    // Needs that can be tested without text are tested before any text is tokenized.
    groups.sort { Self.cost(of: $0) < Self.cost(of: $1) }
  }

  func areMet(_ texts: inout QueryTexts, priority: Priority, hasTags: Bool) -> Bool {
    for group in groups where !isOne(of: group, &texts, priority, hasTags) { return false }
    return true
  }

  private func isOne(
    of group: [Need], _ texts: inout QueryTexts, _ priority: Priority, _ hasTags: Bool
  ) -> Bool {
    for need in group {
      let isMet =
        switch need {
        case .word(let word, let fields): texts.mayHave(word, in: fields)
        case .priorities(let levels): levels & 1 << UInt8(priority.rawValue) != 0
        case .tags: hasTags
        case .author: texts[.author] != nil
        }
      if isMet { return true }
    }
    return false
  }

  private static func cost(of group: [Need]) -> Int {
    group.reduce(0) { cost, need in
      switch need {
      case .priorities, .tags, .author: cost
      case .word(_, let fields): cost + (fields.contains(.body) ? 100 : 1)
      }
    }
  }

  /// Returns the groups of needs of a part of a query.
  private static func groups(of step: QueryStep) -> [[Need]] {
    switch step {
    case .all(let steps): return steps.flatMap(groups)
    case .any(let steps):
      // The group gets one need for each way in which it can be true. A way without needs makes the group useless.
      var group: [Need] = []
      for step in steps {
        guard let cheapest = groups(of: step).min(by: { $0.count < $1.count }) else { return [] }
        group += cheapest
      }
      return steps.isEmpty ? [] : [group]
    case .words(let words, let isPrefix, let fields):
      let texts = fields.reduce(into: Fields()) { $0.insert(Fields($1)) }
      let needs = words.traces(isPrefix: isPrefix).map { [Need.word($0, texts)] }
      return texts == .author ? [[.author]] + needs : needs
    case .priorities(let levels): return [[.priorities(levels)]]
    case .names(.tag, _): return [[.tags]]
    case .not, .pattern, .names, .states, .parts, .times, .address, .addressPattern, .ids, .always: return []
    }
  }
}
