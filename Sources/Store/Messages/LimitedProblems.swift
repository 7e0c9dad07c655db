package import Basics

/// Problems up to a limit. If there are more, the last one is replaced by the number of those that were left
/// out.
package struct LimitedProblems: Sendable {
  private var kept: [FormatProblem] = []
  private var count = 0
  /// The number of entries of a document that the problems beyond the limit report as left out.
  private var leftOut = 0
  private let limit: Int

  /// - Parameter limit: at least 1.
  package init(limit: Int) { self.limit = limit }

  package mutating func append(_ problem: FormatProblem) {
    count += 1
    if kept.count < limit { kept.append(problem) } else { leftOut += problem.leftOut }
  }

  package var all: [FormatProblem] {
    if count <= limit { return kept }
    let rest = count - limit + 1
    let more = leftOut + (kept.last?.leftOut ?? 0)
    return kept.dropLast() + [FormatProblem(at: "", message: "and \(rest) more problems", leftOut: more)]
  }
}

extension [FormatProblem] {
  /// Returns at most `limit` problems. If there are more, the last one contains the number of those that were
  /// left out.
  package func limited(to limit: Int) -> [FormatProblem] {
    if count <= limit { return self }
    var problems = LimitedProblems(limit: limit)
    forEach { problems.append($0) }
    return problems.all
  }
}
