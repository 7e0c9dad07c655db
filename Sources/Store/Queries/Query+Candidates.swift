// The parts of a query that a store needs to plan a search.
extension Query {
  /// Returns a query with only some of this query's conditions, which is true whenever this one is. Negated
  /// conditions may also be kept.
  ///
  /// - Parameter isKept: returns whether to keep a condition.
  package func relaxed(to isKept: (Test) -> Bool) -> Query { negationNormalForm.keeping(isKept) }

  private func keeping(_ isKept: (Test) -> Bool) -> Query {
    switch self {
    case .and(let members): .all(of: members.map { $0.keeping(isKept) })
    case .or(let members): .any(of: members.map { $0.keeping(isKept) })
    case .not(.test(let test)), .test(let test): isKept(test) ? self : .everything
    case .not: .everything
    }
  }

  /// The conditions that must all be true for this one to be true: the members of an `and`, or the query itself.
  ///
  /// - Precondition: it is in negation normal form.
  package var conjuncts: [Query] {
    if case .and(let members) = self { members } else { [self] }
  }

  /// Returns a name in the form in which names are compared: in lower case and composed.
  package static func folded(_ name: String) -> String {
    String(decoding: Caseless.bytes(name), as: UTF8.self)
  }
}

extension Query.Test {
  /// The levels that a condition on priority allows, or `nil` for any other condition.
  package var priorities: Set<Int>? {
    switch self {
    case .priority(let levels): Set(levels)
    case .compared(let comparison, let level): Set((1...5).filter { comparison.holds($0, level) })
    case .text, .inText, .name, .from, .state, .has, .before, .after, .date, .older, .newer, .address, .id,
      .everywhere:
      nil
    }
  }
}

extension Query.TextTerm {
  /// The term of `from:` as a pattern for the name of a site.
  package var site: Query.NamePattern { siteName }
}
